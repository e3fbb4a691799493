"""The board and where it lies in the picture; numpy and OpenCV, no devices."""

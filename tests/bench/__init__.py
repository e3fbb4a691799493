"""Benchmarks: what the umpire costs and how exact it is, beside named peers on the same frames.

Run with `make bench` or `python -m tests.bench`. They print; nothing here is a test.
"""

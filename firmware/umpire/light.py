"""How the light on one small picture differs from that on another, hands and balls notwithstanding.

A smooth field of brightness (lamps), a tint of each colour (their colours) and a brightness of each
row (mains bands of a rolling shutter), fitted to what the two pictures have in common.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.float32]

# The field is fitted to one cell in 9: it has six numbers.
_EVERY = 3
# Cells off by more than this (natural logarithm of the ratio) are something else, step by step.
_TRIM = (0.5, 0.25, 0.14)
# Added to levels before the logarithm: the noise of dark cells must not look like light.
_BLACK = 8.0
# Bands of mains light swing by a tenth or so; a row that is off by more is covered.
_BAND_LIMIT = 0.2
_BAND_ROWS = 0.3


class Light:
    """Fits the light of one picture to another's. Pictures are (rows, columns, 3) float32."""

    def __init__(self, shape: tuple[int, int]) -> None:
        """`shape`: rows and columns of the small pictures."""
        rows, columns = shape
        y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
        self._basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
        self._sparse = self._basis[::_EVERY, ::_EVERY].reshape(-1, 6)
        self.inliers = 1.0
        """Part (0..1) of the cells that the last fit explains."""

    def on(self, board: Cells, seen: Cells) -> Cells:
        """`board` as it would look under the light of `seen`."""
        few_board, few_seen = board[:, ::_EVERY], seen[:, ::_EVERY]
        ratio = np.log((few_seen + _BLACK) / (few_board + _BLACK))
        grey: Cells = np.asarray((ratio[:, :, 0] + ratio[:, :, 1] + ratio[:, :, 2]) / 3, dtype=np.float32)
        weights = self._field(grey[::_EVERY].ravel())
        left: Cells = np.asarray(grey - self._basis[:, ::_EVERY] @ weights, dtype=np.float32)
        near = np.abs(left) < _TRIM[-1]
        field: Cells = np.asarray(self._basis @ weights, dtype=np.float32)
        field += self._bands(left, near)[:, None]
        even = np.asarray(cv2.exp(field), dtype=np.float32)
        tint = np.zeros(3)
        if int(near.sum()) > 20:
            inside = near.astype(np.uint8)
            tint = np.array(cv2.mean(ratio, inside)[:3]) - cv2.mean(grey, inside)[0]
        gain = np.asarray(cv2.merge([even * np.float32(t) for t in np.exp(tint)]), dtype=np.float32)
        # What more light would drive over the top of the scale stays at the top.
        lit = np.minimum((board + _BLACK) * gain - _BLACK, 255.0)
        return np.asarray(lit, dtype=np.float32)

    def _field(self, sparse: NDArray[np.float32]) -> NDArray[np.float32]:
        weights = np.zeros(6, dtype=np.float32)
        weights[0] = np.median(sparse)
        for trim in _TRIM:
            fit = np.abs(sparse - self._sparse @ weights) < trim
            self.inliers = float(fit.mean())
            if self.inliers < 0.1:
                break
            basis = self._sparse[fit]
            # A weak pull towards an even field: a hand may leave only one corner to fit.
            normal = basis.T @ basis + np.diag([0, 1, 1, 1, 1, 1]) * 0.02 * len(sparse)
            weights = np.linalg.solve(normal, basis.T @ sparse[fit]).astype(np.float32)
        return weights

    def _bands(self, left: NDArray[np.float32], near: NDArray[np.bool_]) -> NDArray[np.float32]:
        count = near.sum(axis=1)
        mean = np.where(near, left, 0).sum(axis=1) / np.maximum(count, 1)
        trusted = (count > _BAND_ROWS * left.shape[1]) & (np.abs(mean) < _BAND_LIMIT)
        if not trusted.any():
            return np.zeros(left.shape[0], dtype=np.float32)
        rows = np.arange(left.shape[0])
        return np.asarray(np.interp(rows, rows[trusted], mean[trusted]), dtype=np.float32)

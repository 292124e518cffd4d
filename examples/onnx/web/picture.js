// From strokes to the 8 x 8 pictures that the network was trained on.

// Corners of the ink in a square picture of alpha values, or null.
function inkBox(alpha, size) {
  let left = size, right = -1, top = size, bottom = -1;
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      if (alpha[y * size + x] < 128) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? null : { left, right, top, bottom };
}

// The data were made from 32 x 32 bitmaps in which the digit fills the height:
// every pixel of the 8 x 8 picture counts the ink in a 4 x 4 block, 0 to 16.
export function toPixels(alpha, size) {
  const box = inkBox(alpha, size);
  const pixels = new Float32Array(64);
  if (!box) return pixels;
  const height = box.bottom - box.top + 1, width = box.right - box.left + 1;
  const scale = Math.max(height / 32, width / 26);
  const x0 = (box.left + box.right + 1) / 2 - 16 * scale;
  const y0 = (box.top + box.bottom + 1) / 2 - 16 * scale;
  for (let row = 0; row < 32; ++row) {
    for (let column = 0; column < 32; ++column) {
      const x = Math.floor(x0 + (column + 0.5) * scale);
      const y = Math.floor(y0 + (row + 0.5) * scale);
      const inside = x >= 0 && x < size && y >= 0 && y < size;
      if (inside && alpha[y * size + x] >= 128)
        pixels[(row >> 2) * 8 + (column >> 2)] += 1;
    }
  }
  return pixels;
}

// Shows the 8 x 8 picture, dark where there is ink.
export function showPixels(canvas, pixels) {
  const context = canvas.getContext('2d');
  const step = canvas.width / 8;
  for (let i = 0; i < 64; ++i) {
    const grey = Math.round(255 * (1 - pixels[i] / 16));
    context.fillStyle = `rgb(${grey}, ${grey}, ${grey})`;
    context.fillRect((i % 8) * step, Math.floor(i / 8) * step, step, step);
  }
}

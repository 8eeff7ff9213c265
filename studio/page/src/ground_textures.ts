// Pictures that the ground is covered with.

import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from 'three';

export interface GroundColors { base: string; line: string; block: string; belt: string }

function texture(size: number, draw: (pen: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  draw(canvas.getContext('2d')!);
  const made = new CanvasTexture(canvas);
  made.wrapS = made.wrapT = RepeatWrapping;
  made.anisotropy = 8;
  made.colorSpace = SRGBColorSpace;
  return made;
}

/** Squares of one metre with thin lines, and finer ones of a quarter. */
export function gridTexture(base: string, line: string): CanvasTexture {
  const size = 512;
  return texture(size, (pen) => {
    pen.fillStyle = base;
    pen.fillRect(0, 0, size, size);
    for (let k = 0; k <= 4; ++k) {
      pen.strokeStyle = line;
      pen.globalAlpha = k % 4 === 0 ? 0.9 : 0.25;
      pen.lineWidth = k % 4 === 0 ? 5 : 2;
      const at = (k * size) / 4;
      pen.beginPath();
      pen.moveTo(at, 0); pen.lineTo(at, size); pen.moveTo(0, at); pen.lineTo(size, at);
      pen.stroke();
    }
  });
}

/** An arrow head that points along u. */
export function arrowTexture(color: string): CanvasTexture {
  return texture(64, (pen) => {
    pen.strokeStyle = color;
    pen.lineWidth = 8;
    pen.beginPath();
    pen.moveTo(22, 14); pen.lineTo(42, 32); pen.lineTo(22, 50);
    pen.stroke();
  });
}

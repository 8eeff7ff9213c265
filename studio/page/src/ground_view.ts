// The ground: planes, boxes, stairs, height fields; each may move.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, DoubleSide, Group, Mesh, MeshStandardMaterial, PlaneGeometry,
  RepeatWrapping, SRGBColorSpace,
} from 'three';
import { setPose } from './kinematics';
import type { Row } from './messages';
import type { Ground } from './scene_types';

export interface GroundColors { base: string; line: string; block: string }

const PLANE_SIZE = 60;  // [m]

/** Squares of one metre with thin lines, and finer ones of a quarter. */
function gridTexture(colors: GroundColors): CanvasTexture {
  const canvas = document.createElement('canvas');
  const size = (canvas.width = canvas.height = 512);
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = colors.base;
  pen.fillRect(0, 0, size, size);
  for (let k = 0; k <= 4; ++k) {
    pen.strokeStyle = colors.line;
    pen.globalAlpha = k % 4 === 0 ? 0.9 : 0.25;
    pen.lineWidth = k % 4 === 0 ? 5 : 2;
    const at = (k * size) / 4;
    pen.beginPath();
    pen.moveTo(at, 0); pen.lineTo(at, size); pen.moveTo(0, at); pen.lineTo(size, at);
    pen.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

function fieldGeometry(field: NonNullable<Ground['field']>): BufferGeometry {
  const { columns, rows, size, origin, heights } = field;
  const positions = new Float32Array(3 * columns * rows), uv = new Float32Array(2 * columns * rows), index: number[] = [];
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c) {
      const i = r * columns + c;
      const x = size[0] * (c / (columns - 1) - 0.5), y = size[1] * (r / (rows - 1) - 0.5);
      positions.set([origin[0] + x, origin[1] + y, origin[2] + heights[i]], 3 * i);
      uv.set([x, y], 2 * i);
      if (r + 1 < rows && c + 1 < columns) index.push(i, i + 1, i + columns, i + 1, i + columns + 1, i + columns);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

export class GroundView {
  readonly group = new Group();
  private moving: Group[] = [];

  build(grounds: Ground[], colors: GroundColors): void {
    this.group.clear();
    this.moving = [];
    const surface = new MeshStandardMaterial({ map: gridTexture(colors), roughness: 0.95, side: DoubleSide });
    const block = new MeshStandardMaterial({ color: new Color(colors.block), roughness: 0.9 });
    for (const ground of grounds) {
      const part = new Group();
      for (const mesh of this.meshes(ground, surface, block)) {
        mesh.receiveShadow = true;
        part.add(mesh);
      }
      if (ground.motion !== undefined) this.moving[ground.motion] = part;
      this.group.add(part);
    }
  }

  private meshes(ground: Ground, surface: MeshStandardMaterial, block: MeshStandardMaterial): Mesh[] {
    if (ground.field) return [new Mesh(fieldGeometry(ground.field), surface)];
    if (ground.boxes)
      return ground.boxes.map((box) => {
        const mesh = new Mesh(new BoxGeometry(...box.size), block);
        setPose(mesh, box.pose);
        mesh.castShadow = true;
        return mesh;
      });
    // A plane that moves is shown as a platform: one sees where it goes.
    const size = ground.motion === undefined ? PLANE_SIZE : 4;
    const geometry = new PlaneGeometry(size, size);
    const uv = geometry.getAttribute('uv');
    for (let i = 0; i < uv.count; ++i) uv.setXY(i, uv.getX(i) * size, uv.getY(i) * size);
    const mesh = new Mesh(geometry, surface);
    if (ground.pose) setPose(mesh, ground.pose);
    return [mesh];
  }

  show(row: Row): void {
    this.moving.forEach((part, k) => {
      const pose = row.grounds.subarray(7 * k, 7 * k + 7);
      part.position.set(pose[0], pose[1], pose[2]);
      part.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    });
  }
}

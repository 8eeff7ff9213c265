// The ground: planes, boxes and heights, as its shape says it looks; each may move, and belts run.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshStandardMaterial, PlaneGeometry, Raycaster, Vector3, type Texture,
} from 'three';
import { arrowTexture, gridTexture, type GroundColors } from './ground_textures';
import { setPose } from './kinematics';
import type { Row } from './messages';
import type { Ground } from './scene_types';

const PLANE_SIZE = 60;  // [m]
const DOWN = new Vector3(0, 0, -1);

type Field = NonNullable<Ground['field']>;

function fieldGeometry(field: Field): BufferGeometry {
  const { columns, rows, size, origin, heights } = field;
  const positions = new Float32Array(3 * columns * rows), uv = new Float32Array(2 * columns * rows), index: number[] = [];
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c) {
      const i = r * columns + c;
      const x = size[0] * (c / (columns - 1) - 0.5), y = size[1] * (r / (rows - 1) - 0.5);
      positions.set([origin[0] + x, origin[1] + y, origin[2] + (heights[i] ?? 0)], 3 * i);
      uv.set([x, y], 2 * i);
      if (r + 1 < rows && c + 1 < columns && [i, i + 1, i + columns, i + columns + 1].every((k) => heights[k] !== null))
        index.push(i, i + 1, i + columns, i + 1, i + columns + 1, i + columns);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

/** Height of a field at a place in its own axes, between its nodes; null where there is none. */
function fieldHeight({ columns, rows, size, origin, heights }: Field, x: number, y: number): number | null {
  const c = ((x - origin[0]) / size[0] + 0.5) * (columns - 1), r = ((y - origin[1]) / size[1] + 0.5) * (rows - 1);
  if (!(c >= 0 && r >= 0 && c <= columns - 1 && r <= rows - 1)) return null;
  const c0 = Math.min(Math.floor(c), columns - 2), r0 = Math.min(Math.floor(r), rows - 2), u = c - c0, v = r - r0;
  const at = (i: number, j: number) => heights[(r0 + j) * columns + c0 + i] ?? NaN;
  const z = origin[2] + (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1));
  return Number.isNaN(z) ? null : z;
}

/** One metre of a box is one square of the grid. */
function boxGeometry(size: [number, number, number]): BoxGeometry {
  const geometry = new BoxGeometry(...size), uv = geometry.getAttribute('uv');
  const sides = [[1, 2], [1, 2], [0, 2], [0, 2], [0, 1], [0, 1]];  // of the faces of a BoxGeometry: ±x, ±y, ±z
  for (let i = 0; i < uv.count; ++i) {
    const [u, v] = sides[Math.floor(i / 4)];
    uv.setXY(i, (uv.getX(i) - 0.5) * size[u], (uv.getY(i) - 0.5) * size[v]);
  }
  return geometry;
}

export class GroundView {
  readonly group = new Group();
  /** How many surfaces run. */
  belts = 0;
  private moving: Group[] = [];
  private planes: Mesh[] = [];
  private fields: { field: Field; part: Group }[] = [];
  private solids: Mesh[] = [];
  private caster = new Raycaster();

  build(grounds: Ground[], colors: GroundColors): void {
    this.dispose();
    this.belts = 0;
    [this.moving, this.planes, this.fields, this.solids] = [[], [], [], []];
    const grid = gridTexture(colors.base, colors.line), blockGrid = gridTexture(colors.block, colors.line);
    grounds.forEach((ground, order) => {
      const part = new Group();
      this.fill(part, ground, grid, blockGrid, colors);
      // Of two surfaces at the same height, the one listed last lies on top.
      part.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        const material = object.material as MeshStandardMaterial;
        material.polygonOffset = true;
        material.polygonOffsetFactor = material.polygonOffsetUnits = -order;
      });
      if (ground.motion !== undefined) this.moving[ground.motion] = part;
      this.group.add(part);
    });
  }

  private dispose(): void {
    this.group.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof LineSegments)) return;
      object.geometry.dispose();
      (object.material as MeshStandardMaterial).map?.dispose();
      (object.material as MeshStandardMaterial).dispose();
    });
    this.group.clear();
  }

  private fill(part: Group, ground: Ground, grid: Texture, blockGrid: Texture, colors: GroundColors): void {
    if (ground.field) {
      part.add(this.surface(fieldGeometry(ground.field), grid));
      this.fields.push({ field: ground.field, part });
    }
    if (ground.boxes) {
      for (const box of ground.boxes) {
        const mesh = this.surface(boxGeometry(box.size), blockGrid);
        mesh.castShadow = true;
        setPose(mesh, box.pose);
        mesh.add(new LineSegments(new EdgesGeometry(mesh.geometry), new LineBasicMaterial({ color: new Color(colors.line) })));
        if (ground.conveyor) mesh.add(this.belt(box.size, ground.conveyor, colors.belt));
        part.add(mesh);
        this.solids.push(mesh);
      }
    }
    if (ground.pose) {
      part.add(this.plane(ground, grid));
      if (ground.conveyor) part.add(this.belt([4, 4, 0], ground.conveyor, colors.belt));
    }
  }

  private surface(geometry: BufferGeometry, map: Texture): Mesh {
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ map, roughness: 0.95, side: DoubleSide }));
    mesh.receiveShadow = true;
    return mesh;
  }

  private plane(ground: Ground, grid: Texture): Mesh {
    // A plane that moves is shown as a platform: one sees where it goes.
    const size = ground.motion === undefined ? PLANE_SIZE : 4;
    const geometry = new PlaneGeometry(size, size), uv = geometry.getAttribute('uv');
    for (let i = 0; i < uv.count; ++i) uv.setXY(i, (uv.getX(i) - 0.5) * size, (uv.getY(i) - 0.5) * size);
    const mesh = this.surface(geometry, grid);
    setPose(mesh, ground.pose!);
    mesh.userData.origin = mesh.position.clone();
    if (ground.motion === undefined) this.planes.push(mesh);
    this.solids.push(mesh);
    return mesh;
  }

  /** @param around the robot is there: planes have no end */
  show(row: Row, around: Vector3): void {
    this.moving.forEach((part, k) => {
      const pose = row.grounds.subarray(7 * k, 7 * k + 7);
      part.position.set(pose[0], pose[1], pose[2]);
      part.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    });
    for (const plane of this.planes) {
      const origin = plane.userData.origin as Vector3, away = around.clone().sub(origin).applyQuaternion(plane.quaternion.clone().invert());
      const steps = new Vector3(Math.round(away.x), Math.round(away.y), 0);  // whole squares: the grid stands still
      plane.position.copy(origin).add(steps.applyQuaternion(plane.quaternion));
    }
    this.group.updateMatrixWorld(true);
  }

  /** Height of the ground under a point; 0 where there is none [m]. */
  heightBelow(p: Vector3): number {
    let height = -Infinity;
    for (const { field, part } of this.fields) {
      const local = part.worldToLocal(p.clone()), z = fieldHeight(field, local.x, local.y);
      if (z !== null) height = Math.max(height, part.localToWorld(new Vector3(local.x, local.y, z)).z);
    }
    this.caster.set(p, DOWN);
    const [hit] = this.caster.intersectObjects(this.solids, false);
    if (hit) height = Math.max(height, hit.point.z);
    return Number.isFinite(height) ? height : 0;
  }

  /** Arrows on top of something, along the way that its surface runs. */
  private belt(size: [number, number, number], direction: [number, number, number], color: string): Mesh {
    const geometry = new PlaneGeometry(size[0], size[1]), uv = geometry.getAttribute('uv'), [dx, dy] = direction;
    for (let i = 0; i < uv.count; ++i) {
      const x = (uv.getX(i) - 0.5) * size[0], y = (uv.getY(i) - 0.5) * size[1];
      uv.setXY(i, 4 * (x * dx + y * dy), 4 * (y * dx - x * dy));
    }
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ map: arrowTexture(color), transparent: true, depthWrite: false }));
    mesh.position.z = size[2] / 2 + 1e-3;
    mesh.raycast = () => {};
    this.belts++;
    return mesh;
  }
}

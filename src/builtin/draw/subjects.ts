/** Which brush paints which subject, how large it is beside the others, and where it stands. */
import { drawBird, drawButterfly, drawCat, drawDog, drawFish } from './animals.ts';
import { at, type Canvas, ellipse, group, type Point } from './canvas.ts';
import type { Color } from './color.ts';
import { drawAstronaut, drawCar, drawPerson, drawRobot } from './figures.ts';
import { lit, type Style, tune } from './palette.ts';
import { type Footing, footingOf } from './setting.ts';
import { drawApple, drawCube, drawCup, drawHeart, drawPyramid, drawSphere } from './solids.ts';
import {
  drawBalloon,
  drawBoat,
  drawFlower,
  drawHouse,
  drawLighthouse,
  drawRocket,
  drawTree,
} from './things.ts';
import type { Subject, SubjectKind } from './wish.ts';

type Brush = {
  readonly draw: (canvas: Canvas, color: Color) => string;
  /** Beside a cat, which is 1. */
  readonly size: number;
  readonly colors: readonly [Color, ...Color[]];
  /** It stands on an edge, so its brush paints the shadow of its whole base. */
  readonly hasOwnShadow?: true;
};

const BRUSHES: Readonly<Record<SubjectKind, Brush>> = {
  cat: { draw: drawCat, size: 1, colors: ['#e0913f', '#7d8591', '#3b3f4a', '#c9a27a'] },
  dog: { draw: drawDog, size: 1.05, colors: ['#c98d4f', '#8a5a33', '#e3c08c', '#6d6f78'] },
  bird: { draw: drawBird, size: 0.85, colors: ['#2f86d6', '#e2574c', '#f2b632', '#3aa88a'] },
  fish: { draw: drawFish, size: 0.8, colors: ['#f5842b', '#e2504c', '#3aa3d9'] },
  butterfly: { draw: drawButterfly, size: 0.6, colors: ['#f08a24', '#3d7fe0', '#b44fd1'] },
  flower: { draw: drawFlower, size: 1, colors: ['#e8417a', '#f5b93a', '#8d5be0', '#f2694b'] },
  tree: { draw: drawTree, size: 1.5, colors: ['#4f9e45', '#6fae3f', '#3f8f5a'] },
  cube: {
    draw: drawCube,
    size: 0.9,
    colors: ['#e0523f', '#3f7fe0', '#3fb58a'],
    hasOwnShadow: true,
  },
  sphere: { draw: drawSphere, size: 0.85, colors: ['#3f7fe0', '#e0a53f', '#a45be0'] },
  pyramid: { draw: drawPyramid, size: 1.15, colors: ['#e3b262', '#d98d4a'] },
  heart: { draw: drawHeart, size: 0.9, colors: ['#e23350'] },
  house: { draw: drawHouse, size: 1.3, colors: ['#f3e6cc', '#d9e3e8', '#e9c9a0'] },
  lighthouse: { draw: drawLighthouse, size: 1.5, colors: ['#d93f3a'] },
  boat: { draw: drawBoat, size: 0.95, colors: ['#b8452f', '#2f5f9e', '#8a5a33'] },
  balloon: { draw: drawBalloon, size: 1, colors: ['#e5484d', '#f0a030', '#4a7fe0'] },
  rocket: { draw: drawRocket, size: 1.05, colors: ['#e2413a'] },
  robot: { draw: drawRobot, size: 1.05, colors: ['#8fa6bd', '#e0a53f', '#6fb3a8'] },
  car: { draw: drawCar, size: 1.1, colors: ['#d93a36', '#2f74d0', '#f0b32e'] },
  person: { draw: drawPerson, size: 1.15, colors: ['#c9483f', '#2f6f9e', '#5f8f4a'] },
  astronaut: { draw: drawAstronaut, size: 1.1, colors: ['#f08a24', '#2f74d0', '#d93a36'] },
  apple: { draw: drawApple, size: 0.8, colors: ['#d6322f', '#7db53a'] },
  cup: { draw: drawCup, size: 0.85, colors: ['#f1efe8', '#c9553f', '#3f7f9e'] },
};

/** Height in units of a single cat. */
const FULL_SIZE = 430;
/** The share of it that each has when so many stand together. */
const CROWDING = [1, 1, 0.84, 0.7, 0.6, 0.52, 0.46];

/** How far up and down each footing's subjects stand, as y in units. */
export type Stage = Readonly<Record<Footing, number>>;

export function paintSubjects(
  canvas: Canvas,
  subjects: readonly Subject[],
  stage: Stage,
  style: Style,
): string {
  const placed = (['air', 'water', 'ground'] as const).flatMap((footing) => {
    const here = subjects.filter((subject) => footingOf(subject.kind) === footing);
    return here.map((subject, index) =>
      paintOne(canvas, subject, { footing, index, of: here.length, y: stage[footing] }, style),
    );
  });
  return placed
    .sort((a, b) => a.y - b.y)
    .map((each) => each.svg)
    .join('');
}

type Slot = {
  readonly footing: Footing;
  readonly index: number;
  readonly of: number;
  readonly y: number;
};

function paintOne(
  canvas: Canvas,
  subject: Subject,
  slot: Slot,
  style: Style,
): { readonly y: number; readonly svg: string } {
  const { random, palette, width, height } = canvas;
  const brush = BRUSHES[subject.kind];
  const share = (slot.index + 1) / (slot.of + 1);
  const spread = slot.of === 1 ? share + random.between(-0.07, 0.07) : 0.5 + (share - 0.5) * 1.25;
  const room = (width / slot.of) * 0.92;
  const crowded = FULL_SIZE * brush.size * (CROWDING[slot.of] ?? 0.46);
  const size = Math.min(crowded * (height > width ? 1.15 : 1), room, height * 0.66);
  const lift = slot.footing === 'air' ? random.between(-0.06, 0.06) * height : 0;
  const depth = slot.of > 2 && slot.index % 2 === 1 ? -0.05 * height : 0;
  const [x, y]: Point = [spread * width, slot.y + depth + lift];
  const color = tune(lit(subject.color ?? random.pick(brush.colors), palette), style);
  const figure = group(
    `translate(${at(x)} ${at(y)}) scale(${(size / 100).toFixed(3)})`,
    brush.draw(canvas, color),
  );
  const cast = brush.hasOwnShadow ? '' : shadow(slot.footing, [x, y], size);
  return { y, svg: cast + figure };
}

/** What grounds a figure: without it everything floats. */
function shadow(footing: Footing, [x, y]: Point, size: number): string {
  if (footing === 'air') return '';
  const share = footing === 'water' ? 0.4 : 0.46;
  return (
    ellipse([x + size * 0.05, y], [size * share, size * 0.075], '#070b24', 0.18) +
    ellipse([x + size * 0.02, y], [size * share * 0.78, size * 0.045], '#070b24', 0.28)
  );
}

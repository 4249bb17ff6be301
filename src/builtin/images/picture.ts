/** One picture from a prompt, as SVG: sky, land, figures, weather, in that order. */
import { paintAbstract } from '../draw/abstract.ts';
import { type Canvas, linear, radial, rect, SHORT_SIDE, seededRandom } from '../draw/canvas.ts';
import { paintCity, paintStreet } from '../draw/city.ts';
import { type Color, darker, lighter, luminance, mix } from '../draw/color.ts';
import {
  groundLight,
  paintDunes,
  paintForest,
  paintGrass,
  paintGround,
  paintMeadowFlowers,
  paintMountains,
} from '../draw/land.ts';
import { lit, paletteOf, type Style, tune } from '../draw/palette.ts';
import { paintSea, paintShore } from '../draw/sea.ts';
import { footingOf, type Setting } from '../draw/setting.ts';
import {
  paintAurora,
  paintClouds,
  paintLightning,
  paintMoon,
  paintRain,
  paintRainbow,
  paintSky,
  paintSnowfall,
  paintStars,
  paintSun,
} from '../draw/sky.ts';
import { paintSpace } from '../draw/space.ts';
import { paintSubjects } from '../draw/subjects.ts';

export type SceneOptions = {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly fine: boolean;
  readonly seed: string;
};

export function sceneSvg(setting: Setting, options: SceneOptions): string {
  const scale = SHORT_SIDE / Math.min(options.width, options.height);
  const [width, height] = [options.width * scale, options.height * scale];
  let ids = 0;
  const canvas: Canvas = {
    width,
    height,
    random: seededRandom(options.seed),
    palette: paletteOf(setting.hour, options.style, setting.skies.get('sky') ?? null),
    fine: options.fine,
    newId: () => `d${ids++}`,
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${options.width}" height="${options.height}" ` +
    `viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">` +
    `${paint(canvas, setting, options.style)}${finish(canvas, options.style)}</svg>`
  );
}

function paint(canvas: Canvas, setting: Setting, style: Style): string {
  const { height } = canvas;
  switch (setting.kind) {
    case 'abstract':
      return paintAbstract(canvas, setting.accents, style);
    case 'space': {
      const middle = { air: height * 0.76, water: height * 0.8, ground: height * 0.86 };
      return (
        paintSpace(canvas, setting.places.get('space') ?? null) +
        paintSubjects(canvas, setting.subjects, middle, style)
      );
    }
    case 'studio': {
      const table = { air: height * 0.6, water: height * 0.8, ground: height * 0.8 };
      return (
        paintStudio(canvas, setting, style) + paintSubjects(canvas, setting.subjects, table, style)
      );
    }
    case 'outdoors':
      return paintOutdoors(canvas, setting, style);
  }
}

/** A table and a wall in a colour that sets the subject off. */
function paintStudio(canvas: Canvas, { subjects, accents }: Setting, style: Style): string {
  const { width, height, random } = canvas;
  const subject = subjects[0]?.color ?? null;
  const backdrops = ['#f2dfc7', '#cfe3ea', '#e6d5ea', '#d5e6d2'] as const;
  const chosen: Color = accents[0] ?? random.pick(backdrops);
  const wall = tune(
    subject !== null && luminance(subject) > 0.8 ? darker(chosen, 0.45) : chosen,
    style,
  );
  const back = radial(canvas, [
    [0, lighter(wall, 0.55)],
    [1, darker(wall, 0.16)],
  ]);
  const floor = linear(canvas, [
    [0, darker(wall, 0.26)],
    [0.25, darker(wall, 0.1)],
    [1, lighter(wall, 0.25)],
  ]);
  const edge = height * 0.64;
  return (
    back.def +
    rect([-width * 0.2, -height * 0.35], [width * 1.4, height * 1.5], back.fill) +
    floor.def +
    rect([0, edge], [width, height - edge], floor.fill) +
    rect([0, edge - 1], [width, 2.5], lighter(wall, 0.5), { opacity: 0.5 })
  );
}

function paintOutdoors(canvas: Canvas, setting: Setting, style: Style): string {
  const { height } = canvas;
  const { places, skies, subjects } = setting;
  const horizon = height * (places.has('sea') ? 0.56 : 0.6);
  const lightAt = lightPlace(canvas, setting, horizon);
  const stage = {
    air: height * 0.46,
    water: horizon + (height - horizon) * 0.42,
    ground: height * 0.9,
  };
  return (
    paintHeavens(canvas, setting, horizon, lightAt, style) +
    (places.has('mountains')
      ? paintMountains(canvas, horizon, tuned(places.get('mountains'), style))
      : '') +
    (places.has('city') ? paintCity(canvas, horizon + 8, tuned(places.get('city'), style)) : '') +
    paintFoot(canvas, setting, horizon, lightAt?.[0] ?? null, style) +
    (lightAt === null || places.has('sea') ? '' : groundLight(canvas, [lightAt[0], horizon + 60])) +
    paintSubjects(canvas, subjects, stage, style) +
    (skies.has('rain') ? paintRain(canvas) : '') +
    (skies.has('snow') ? paintSnowfall(canvas) : '')
  );
}

const tuned = (color: Color | null | undefined, style: Style): Color | null =>
  color == null ? null : tune(color, style);

/** Where the sun or moon stands, to one side so that it shares the picture; null when there is none. */
function lightPlace(
  canvas: Canvas,
  { skies, hour, places }: Setting,
  horizon: number,
): readonly [number, number] | null {
  if (!skies.has('sun') && !skies.has('moon')) return null;
  const side = canvas.random.chance(0.5) ? 1 : -1;
  if (hour !== 'sunset' && hour !== 'dawn') {
    return [canvas.width * (0.5 + side * canvas.random.between(0.24, 0.32)), horizon * 0.36];
  }
  // A low sun stands on open land, but over peaks and roofs, which would hide it.
  const isHidden = places.has('mountains') || places.has('city');
  const away = isHidden ? canvas.random.between(0.17, 0.2) : canvas.random.between(0.05, 0.2);
  return [canvas.width * (0.5 + side * away), horizon - (isHidden ? 335 : 105)];
}

function paintHeavens(
  canvas: Canvas,
  { skies, hour, places }: Setting,
  horizon: number,
  lightAt: readonly [number, number] | null,
  style: Style,
): string {
  let heavens = paintSky(canvas, horizon);
  if (skies.has('stars')) heavens += paintStars(canvas, horizon);
  if (skies.has('aurora')) heavens += paintAurora(canvas, horizon);
  if (lightAt !== null) {
    const isLow = hour === 'sunset' || hour === 'dawn';
    if (skies.has('sun')) {
      heavens += paintSun(
        canvas,
        lightAt,
        isLow ? 78 : 58,
        skies.get('sun') ?? null,
        style === 'vivid',
      );
    }
    if (skies.has('moon')) {
      const [x, y] = lightAt;
      const place = skies.has('sun') ? ([canvas.width - x, y * 0.7] as const) : lightAt;
      heavens += paintMoon(canvas, place, 72, tuned(skies.get('moon'), style));
    }
  }
  if (skies.has('rainbow')) heavens += paintRainbow(canvas, horizon);
  if (skies.has('clouds')) {
    const wide = Math.max(1, canvas.width / SHORT_SIDE);
    const count = Math.round((hour === 'storm' ? 7 : places.has('mountains') ? 3 : 4) * wide);
    const color =
      skies.get('clouds') ??
      (hour === 'storm' ? mix(canvas.palette.skyTop, '#aab4be', 0.35) : null);
    heavens += paintClouds(canvas, horizon, count, color);
  }
  if (hour === 'storm') heavens += paintLightning(canvas, horizon);
  return heavens;
}

/** From the horizon to the bottom edge. */
function paintFoot(
  canvas: Canvas,
  setting: Setting,
  horizon: number,
  lightX: number | null,
  style: Style,
): string {
  const { height, palette } = canvas;
  const { places, skies, subjects } = setting;
  const isSnowy = skies.has('snow');
  const asked = (place: 'desert' | 'meadow'): Color | null => {
    const color = places.get(place) ?? null;
    return color === null ? null : tune(lit(color, palette), style);
  };
  if (places.has('sea')) {
    const stands = subjects.some(({ kind }) => footingOf(kind) === 'ground');
    const grove = places.has('forest')
      ? paintForest(canvas, horizon - 30, tuned(places.get('forest'), style), isSnowy)
      : '';
    return (
      grove +
      paintSea(
        canvas,
        places.has('forest') ? horizon + 70 : horizon,
        tuned(places.get('sea'), style),
        lightX,
      ) +
      (stands || places.has('desert') ? paintShore(canvas, height * 0.8) : '')
    );
  }
  if (places.has('desert')) return paintDunes(canvas, horizon, asked('desert') ?? palette.sand);
  const ground = isSnowy ? palette.snow : (asked('meadow') ?? palette.grass);
  if (places.has('forest')) {
    const floor = isSnowy ? ground : mix(ground, palette.leaves, 0.4);
    return (
      paintGround(canvas, horizon, floor) +
      paintForest(canvas, horizon, tuned(places.get('forest'), style), isSnowy) +
      (isSnowy ? '' : paintGrass(canvas, height * 0.82, floor))
    );
  }
  if (places.has('city') && !places.has('meadow')) return paintStreet(canvas, horizon + 6);
  return (
    paintGround(canvas, horizon, ground) +
    (isSnowy ? '' : paintMeadow(canvas, setting, ground, style))
  );
}

function paintMeadow(canvas: Canvas, { accents }: Setting, ground: Color, style: Style): string {
  const [first, ...rest] = [...accents, '#ffffff', '#f6c945', '#f07fae'] as const;
  const show = (color: Color): Color => tune(lit(color, canvas.palette), style);
  return (
    paintGrass(canvas, canvas.height * 0.76, ground) +
    paintMeadowFlowers(canvas, canvas.height * 0.74, [show(first ?? '#ffffff'), ...rest.map(show)])
  );
}

/** Vivid pictures darken at the edges, natural ones lie under a warm haze like old paper. */
function finish(canvas: Canvas, style: Style): string {
  const { width, height } = canvas;
  if (style === 'natural') return rect([0, 0], [width, height], '#d8c8a8', { opacity: 0.1 });
  const { def, fill } = radial(canvas, [
    [0.66, '#050818', 0],
    [1, '#050818', 0.28],
  ]);
  return def + rect([-width * 0.14, -height * 0.14], [width * 1.28, height * 1.28], fill);
}

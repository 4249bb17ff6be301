/** What the picture will hold: the wish, completed with what a good picture of it needs. */
import type { Color } from './color.ts';
import type { Hour } from './palette.ts';
import type { Place, SkyThing, Subject, SubjectKind, Wish } from './wish.ts';

/** Where a subject is put: with its feet on the ground, on the water, or up in the air. */
export type Footing = 'ground' | 'water' | 'air';

export type Setting = {
  /** Outdoors has a horizon; the others fill the whole picture their own way. */
  readonly kind: 'outdoors' | 'space' | 'studio' | 'abstract';
  readonly hour: Hour;
  readonly places: ReadonlyMap<Place, Color | null>;
  readonly skies: ReadonlyMap<SkyThing, Color | null>;
  readonly subjects: readonly Subject[];
  /** Colours to use where the wish leaves the choice. */
  readonly accents: readonly Color[];
};

/** They stand on a table as well as anywhere. */
const STILL_LIFE: ReadonlySet<SubjectKind> = new Set([
  'cube',
  'sphere',
  'pyramid',
  'heart',
  'apple',
  'cup',
  'robot',
]);
const NEEDS_WATER: ReadonlySet<SubjectKind> = new Set(['boat', 'fish', 'lighthouse']);
const FLYING: ReadonlySet<SubjectKind> = new Set(['balloon', 'butterfly', 'rocket']);
const AFLOAT: ReadonlySet<SubjectKind> = new Set(['boat', 'fish']);

export function footingOf(kind: SubjectKind): Footing {
  if (FLYING.has(kind)) return 'air';
  return AFLOAT.has(kind) ? 'water' : 'ground';
}

export function settingOf(wish: Wish): Setting {
  const kind = kindOf(wish);
  const places = new Map(wish.places);
  const needsWater = wish.subjects.some((subject) => NEEDS_WATER.has(subject.kind));
  if (needsWater && !places.has('sea')) places.set('sea', null);
  if (places.size === 0) places.set(usualPlace(wish), null);
  // A loose colour most likely belongs to the first subject that has none of its own.
  const [firstLoose = null, ...accents] = wish.looseColors;
  const main = withoutFlowerBeds(wish.subjects);
  const [blossom = null] = flowerColors(wish.subjects);
  const plain = main.findIndex((subject) => subject.color === null);
  const subjects = main.map((subject, index) => {
    if (index === plain && firstLoose !== null) return { ...subject, color: firstLoose };
    const isTreeOfWood = subject.kind === 'tree' && subject.color === null;
    return isTreeOfWood ? { ...subject, color: places.get('forest') ?? blossom } : subject;
  });
  return {
    kind,
    hour: hourOf(wish),
    places,
    skies: skiesOf(wish),
    subjects,
    accents: [...flowerColors(wish.subjects), ...(plain === -1 ? wish.looseColors : accents)],
  };
}

/** Flowers beside somebody else are what he stands in, not a giant at his side. */
function withoutFlowerBeds(subjects: readonly Subject[]): readonly Subject[] {
  const others = subjects.filter((subject) => subject.kind !== 'flower');
  return others.length === 0 ? subjects : others;
}

const flowerColors = (subjects: readonly Subject[]): ReadonlySet<Color> =>
  new Set(
    subjects.flatMap(({ kind, color }) => (kind === 'flower' && color !== null ? [color] : [])),
  );

function kindOf({ places, subjects, skies, time }: Wish): Setting['kind'] {
  if (places.has('space')) return 'space';
  const isBare = places.size === 0 && skies.size === 0 && time === null;
  if (!isBare) return 'outdoors';
  if (subjects.length === 0) return 'abstract';
  if (subjects.every(({ kind }) => kind === 'rocket' || kind === 'astronaut')) return 'space';
  return subjects.every(({ kind }) => STILL_LIFE.has(kind)) ? 'studio' : 'outdoors';
}

function usualPlace({ subjects, skies, time }: Wish): Place {
  if (subjects.length > 0) return 'meadow';
  if (time === 'sunset' || time === 'dawn') return 'sea';
  return time === 'night' || skies.has('moon') || skies.has('stars') || skies.has('aurora')
    ? 'mountains'
    : 'meadow';
}

function hourOf({ time, skies }: Wish): Hour {
  if (time !== null) return time;
  if (skies.has('moon') || skies.has('stars') || skies.has('aurora')) return 'night';
  if (skies.has('rain')) return 'storm';
  return 'day';
}

/** Each hour's sky has what belongs to it, asked for or not. */
function skiesOf(wish: Wish): ReadonlyMap<SkyThing, Color | null> {
  const skies = new Map(wish.skies);
  const add = (thing: SkyThing): void => {
    if (!skies.has(thing)) skies.set(thing, null);
  };
  switch (hourOf(wish)) {
    case 'night':
      add('stars');
      if (!skies.has('aurora')) add('moon');
      break;
    case 'sunset':
    case 'dawn':
      add('sun');
      add('clouds');
      break;
    case 'day':
      if (!skies.has('snow')) add('sun');
      add('clouds');
      break;
    case 'storm':
      add('clouds');
      if (wish.time === 'storm') add('rain');
      break;
  }
  return skies;
}

/** The picture in words: what the model understood of the prompt, for `revised_prompt`. */
import { COLOR_WORDS, type Color } from './color.ts';
import type { Style } from './palette.ts';
import type { Setting } from './setting.ts';

/** The English name comes first in each colour's row of words. */
const COLOR_NAMES: ReadonlyMap<Color, string> = new Map(
  [...COLOR_WORDS].reverse().map(([word, color]) => [color, word]),
);

const HOURS = {
  day: 'by day',
  dawn: 'at dawn',
  sunset: 'at sunset',
  night: 'at night',
  storm: 'in a storm',
} as const satisfies Record<Setting['hour'], string>;

const PLACE_PHRASES = {
  space: 'in space',
  sea: 'by the sea',
  mountains: 'before mountains',
  forest: 'in a forest',
  city: 'in a city',
  desert: 'on desert sand',
  meadow: 'in a meadow',
} as const;

const STYLES = {
  vivid: 'vivid colours and strong light',
  natural: 'natural, muted colours',
} as const satisfies Record<Style, string>;

/** Such as `A red cube on desert sand by day; sun, clouds; vivid colours and strong light.` */
export function describePicture(setting: Setting, style: Style, fine: boolean): string {
  const look = `${STYLES[style]}${fine ? ', fine detail' : ''}.`;
  const subjects = setting.subjects.map(({ kind, color }) => withArticle(named(kind, color)));
  const who = subjects.join(', ');
  switch (setting.kind) {
    case 'abstract':
      return `${capital(named('ribbons of colour', setting.accents[0] ?? null))}; ${look}`;
    case 'studio':
      return `${capital(who)} before a plain backdrop; ${look}`;
    case 'space':
      return `${capital(who === '' ? 'planets and nebulae' : who)} in space; ${look}`;
    case 'outdoors': {
      const where = [...setting.places].map(([place]) => PLACE_PHRASES[place]).join(' ');
      const scene = `${who === '' ? 'a landscape' : who} ${where} ${HOURS[setting.hour]}`;
      const sky = [...setting.skies].map(([thing, color]) => named(thing, color)).join(', ');
      return `${capital(scene)}; ${sky}; ${look}`;
    }
  }
}

const named = (noun: string, color: Color | null): string =>
  color === null ? noun : `${COLOR_NAMES.get(color) ?? ''} ${noun}`.trim();

const withArticle = (phrase: string): string => `${/^[aeiou]/.test(phrase) ? 'an' : 'a'} ${phrase}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

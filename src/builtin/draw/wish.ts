/**
 * What a prompt asks to see. No model reads it: words are looked up, in English and some of the
 * commonest ones of other languages, and a colour goes to the thing it stands before.
 */
import { COLOR_WORDS, type Color } from './color.ts';

const TIMES = ['night', 'sunset', 'dawn', 'storm', 'day'] as const;
const PLACES = ['space', 'sea', 'mountains', 'forest', 'city', 'desert', 'meadow'] as const;
const SKIES = [
  'sun',
  'moon',
  'stars',
  'clouds',
  'rain',
  'snow',
  'rainbow',
  'aurora',
  'sky',
] as const;
const SUBJECTS = [
  'cat',
  'dog',
  'bird',
  'fish',
  'butterfly',
  'flower',
  'tree',
  'cube',
  'sphere',
  'pyramid',
  'heart',
  'house',
  'lighthouse',
  'boat',
  'balloon',
  'rocket',
  'robot',
  'car',
  'person',
  'astronaut',
  'apple',
  'cup',
] as const;

export type Time = (typeof TIMES)[number];
export type Place = (typeof PLACES)[number];
export type SkyThing = (typeof SKIES)[number];
export type SubjectKind = (typeof SUBJECTS)[number];
type Thing = Time | Place | SkyThing | SubjectKind;

const WORDS: Readonly<Record<Thing, string>> = {
  night: 'night midnight nocturnal dark noche nacht nuit notte 夜 夜晚',
  sunset:
    'sunset dusk evening twilight atardecer sonnenuntergang crépuscule tramonto 日落 夕阳 黄昏',
  dawn: 'dawn sunrise morning amanecer morgen aube alba 日出 黎明 清晨',
  storm: 'storm stormy thunder thunderstorm gloomy tormenta sturm tempête 暴风雨',
  day: 'day daylight noon sunny 白天',
  space: 'space galaxy nebula cosmos universe planet orbit weltall espacio 太空 宇宙 星系',
  sea: 'sea ocean lake river water beach coast shore wave harbor harbour bay mar océano meer see strand mer océan mare 海 湖 河 海滩 大海',
  mountains:
    'mountain peak alp hill cliff valley volcano montaña berg berge montagne montagna 山 山脉',
  forest: 'forest wood woods jungle pine grove bosque wald forêt foresta 森林 树林',
  city: 'city skyline town downtown skyscraper street building urban ciudad stadt ville città 城市 城',
  desert: 'desert sand dune sahara desierto wüste désert deserto 沙漠 沙',
  meadow: 'meadow grass field garden park lawn prairie prado wiese pré prato 草地 草原 花园',
  sun: 'sun sol sonne soleil sole 太阳',
  moon: 'moon moonlight moonlit lune luna mond 月 月亮',
  stars: 'star starry starlight stelle estrella stern sterne étoile 星 星星 星空',
  clouds: 'cloud cloudy nube wolke wolken nuage nuvola 云 雲',
  rain: 'rain rainy raining lluvia regen pluie pioggia 雨',
  snow: 'snow snowy winter ice icy snowfall nieve schnee neige neve 雪 冬',
  rainbow: 'rainbow arcoíris regenbogen arc-en-ciel 彩虹',
  aurora: 'aurora borealis 极光',
  sky: 'sky cielo himmel ciel 天空',
  cat: 'cat kitten kitty feline gato katze chaton gatto 猫 貓',
  dog: 'dog puppy hound corgi fox wolf perro hund chien cane 狗 犬',
  bird: 'bird robin sparrow parrot songbird pájaro vogel oiseau uccello 鸟 鳥',
  fish: 'fish goldfish pez fisch poisson pesce 鱼 魚',
  butterfly: 'butterfly mariposa schmetterling papillon farfalla 蝴蝶',
  flower: 'flower tulip daisy sunflower blossom poppy flor blume blumen fleur fiore 花',
  tree: 'tree oak maple árbol baum arbre albero 树 樹',
  cube: 'cube box block cubo würfel 立方体',
  sphere: 'sphere ball orb globe esfera kugel sphère sfera 球',
  pyramid: 'pyramid cone triangle pirámide pyramide 金字塔',
  heart: 'heart corazón herz cœur coeur cuore 心',
  house: 'house cottage cabin home hut barn casa haus maison 房子 屋 家',
  lighthouse: 'lighthouse faro leuchtturm phare 灯塔',
  boat: 'boat ship sailboat yacht barco boot schiff bateau barca 船',
  balloon: 'balloon globo ballon mongolfiera 气球',
  rocket: 'rocket spaceship cohete rakete fusée razzo 火箭',
  robot: 'robot android roboter 机器人',
  car: 'car automobile coche auto voiture macchina 汽车 车',
  person: 'person man woman girl boy child people knight portrait persona mensch 人 女孩 男孩',
  astronaut: 'astronaut cosmonaut spaceman astronauta astronaute 宇航员',
  apple: 'apple manzana apfel pomme mela 苹果',
  cup: 'cup mug coffee tea teacup taza tasse tazza 杯 咖啡 茶',
};

const COUNT_WORDS: ReadonlyMap<string, number> = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['2', 2],
  ['3', 3],
  ['4', 4],
  ['5', 5],
  ['pair', 2],
  ['dos', 2],
  ['zwei', 2],
  ['deux', 2],
  ['两只', 2],
  ['三只', 3],
]);

export type Subject = { readonly kind: SubjectKind; readonly color: Color | null };

export type Wish = {
  readonly time: Time | null;
  readonly places: ReadonlyMap<Place, Color | null>;
  readonly skies: ReadonlyMap<SkyThing, Color | null>;
  readonly subjects: readonly Subject[];
  /** Colours that stand before nothing that can be drawn. */
  readonly looseColors: readonly Color[];
};

/** A crowd is drawn no larger than this: more would be too small to know. */
const MAX_SUBJECTS = 6;
/** Words looked at; the rest of a long prompt adds little to a picture. */
const MAX_WORDS = 2000;

const CJK = /[\u3400-\u9fff]/;
const THING_BY_WORD: ReadonlyMap<string, Thing> = new Map(
  Object.entries(WORDS).flatMap(([thing, words]) =>
    words.split(' ').map((word) => [word, thing as Thing]),
  ),
);
const LONGEST_CJK_WORD = 5;

export function readWish(prompt: string): Wish {
  const places = new Map<Place, Color | null>();
  const skies = new Map<SkyThing, Color | null>();
  const crowd = new Crowd();
  const looseColors: Color[] = [];
  let time: Time | null = null;
  let color: Color | null = null;
  let count: number | null = null;
  for (const word of wordsOf(prompt)) {
    const nextColor = COLOR_WORDS.get(word);
    if (nextColor !== undefined) {
      if (color !== null) looseColors.push(color);
      color = nextColor;
    }
    count = COUNT_WORDS.get(word) ?? count;
    const found = thingOf(word);
    if (found === null) continue;
    const { thing } = found;
    if (isOneOf(TIMES, thing)) {
      time ??= thing;
      continue;
    }
    if (isOneOf(PLACES, thing)) places.set(thing, places.get(thing) ?? color);
    else if (isOneOf(SKIES, thing)) skies.set(thing, skies.get(thing) ?? color);
    else crowd.add({ kind: thing, color }, { ...found, count });
    color = null;
    count = null;
  }
  if (color !== null) looseColors.push(color);
  return { time, places, skies, subjects: crowd.subjects, looseColors };
}

type FoundWord = { readonly thing: Thing; readonly singular: string; readonly isPlural: boolean };

/** How many a plural without a number is. */
const SEVERAL = 3;

/** The subjects so far, and by which word each was named. */
class Crowd {
  readonly #named: (Subject & { readonly by: string })[] = [];

  get subjects(): readonly Subject[] {
    return this.#named.slice(0, MAX_SUBJECTS).map(({ kind, color }) => ({ kind, color }));
  }

  add(subject: Subject, named: FoundWord & { readonly count: number | null }): void {
    const alike = this.#named.filter((each) => each.kind === subject.kind);
    // "A cup of coffee" and "balloons, three balloons" speak twice of the same.
    const isSame = alike.some((each) => each.by !== named.singular || each.color === subject.color);
    if (isSame && (named.count === null || named.count <= alike.length)) return;
    const count = (named.count ?? (named.isPlural ? SEVERAL : 1)) - (isSame ? alike.length : 0);
    for (let one = 0; one < count && this.#named.length < MAX_SUBJECTS; one++) {
      this.#named.push({ ...subject, by: named.singular });
    }
  }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/** What a word names, taking an English plural for its singular. */
function thingOf(word: string): FoundWord | null {
  const stems = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  for (const singular of stems) {
    const thing = THING_BY_WORD.get(singular);
    if (thing !== undefined) return { thing, singular, isPlural: singular !== word };
  }
  return null;
}

/** Lower-case words; where a script has no spaces, the longest known words in turn. */
function wordsOf(prompt: string): string[] {
  const words: string[] = [];
  for (const [token] of prompt
    .normalize('NFC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}-]+/gu)) {
    if (words.length >= MAX_WORDS) break;
    if (CJK.test(token)) words.push(...splitCjk(token));
    else words.push(token);
  }
  return words;
}

function splitCjk(token: string): string[] {
  const known = (part: string): boolean =>
    THING_BY_WORD.has(part) || COLOR_WORDS.has(part) || COUNT_WORDS.has(part);
  const words: string[] = [];
  for (let at = 0; at < token.length && words.length < MAX_WORDS; ) {
    let length = LONGEST_CJK_WORD;
    while (length > 1 && !known(token.slice(at, at + length))) length--;
    words.push(token.slice(at, at + length));
    at += length;
  }
  return words;
}

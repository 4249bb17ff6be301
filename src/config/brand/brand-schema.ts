/** The schema of `brand`: the name, logo, colors and texts of the operator's brand. */
import * as z from 'zod';
import { isBaseUrl } from '../address.ts';
import { built } from '../document/on-demand.ts';
import { darkProblem, isHexColor, lightProblem } from './accent.ts';
import { type Logo, logoOf, MAX_LOGO_CHARACTERS } from './logo.ts';

const MAX_NAME_CHARACTERS = 40;
/** Maximum characters of the terms or the privacy policy. This is about twenty printed pages. */
export const MAX_PAGE_CHARACTERS = 60_000;
const MAX_ANNOUNCEMENT_CHARACTERS = 300;

export const DEFAULT_NAME = 'Modelgate';

const limited = (characters: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(characters, `must have at most ${characters} characters`);

/** A text in English, and in Chinese if the Chinese text differs. */
const translated = (characters: number) =>
  z.strictObject({
    en: limited(characters),
    zh: limited(characters).nullable().default(null),
  });

const logo = built(() =>
  z
    .string()
    .max(MAX_LOGO_CHARACTERS, `must have at most ${MAX_LOGO_CHARACTERS} characters`)
    .transform((text, context): Logo => {
      const found = logoOf(text);
      if (!('problem' in found)) return found;
      context.addIssue(found.problem);
      return z.NEVER;
    }),
);

const color = built(() => z.string().refine(isHexColor, 'write a color such as #3b5bdb'));

const isSupportUrl = (text: string): boolean =>
  /^mailto:[^\s?@]+@[^\s?@]+$/.test(text) || (isBaseUrl(text) && /^https?:/.test(text));

const moment = built(() =>
  z.iso
    .datetime({ offset: true, error: 'write a time such as 2027-01-31T08:00:00Z' })
    .nullable()
    .default(null),
);

const announcement = built(() =>
  z
    .strictObject({
      text: translated(MAX_ANNOUNCEMENT_CHARACTERS),
      level: z.enum(['info', 'warning']).default('info'),
      /** The time from which the announcement is shown; null to show it at once. */
      from: moment(),
      /**
       * The time at which the announcement disappears; null if it stays until an operator removes
       * it.
       */
      until: moment(),
      /** Whether a person may hide the announcement from their own view. */
      dismissible: z.boolean().default(true),
    })
    .check((context) => {
      const { from, until } = context.value;
      if (from === null || until === null || Date.parse(from) < Date.parse(until)) return;
      const message = 'must be after from';
      context.issues.push({ code: 'custom', message, input: until, path: ['until'] });
    }),
);

export const brandSchema = built(() =>
  z
    .strictObject({
      name: limited(MAX_NAME_CHARACTERS).default(DEFAULT_NAME),
      /** The logo: an SVG as text, or a PNG as a `data:` URL; null for the product's own logo. */
      logo: logo().nullable().default(null),
      /** The accent color, for buttons, focus and selection; null for the product's own color. */
      accent: color().nullable().default(null),
      /** The accent color of the dark theme; null to use `accent`. */
      accent_dark: color().nullable().default(null),
      /** The address at which people get help: a website or `mailto:`. */
      support_url: z
        .string()
        .refine(
          isSupportUrl,
          'write an http or https address without "?" and "#", or mailto:ADDRESS',
        )
        .nullable()
        .default(null),
      /** The terms of service, which are shown as a public page, in Markdown; null for no page. */
      terms: translated(MAX_PAGE_CHARACTERS).nullable().default(null),
      /** The privacy policy, which is shown as a public page, in Markdown; null for no page. */
      privacy: translated(MAX_PAGE_CHARACTERS).nullable().default(null),
      /** An announcement, which is shown above every page of the console. */
      announcement: announcement().nullable().default(null),
    })
    .check((context) => {
      const { accent, accent_dark: dark } = context.value;
      const add = (key: string, message: string | null): void => {
        if (message === null) return;
        context.issues.push({ code: 'custom', message, input: context.value, path: [key] });
      };
      if (accent === null) {
        if (dark !== null) add('accent_dark', 'needs accent, the color of the light theme');
        return;
      }
      add('accent', lightProblem(accent));
      add(dark === null ? 'accent' : 'accent_dark', darkProblem(dark ?? accent));
    }),
);

export type Brand = z.output<ReturnType<typeof brandSchema>>;
export type Announcement = NonNullable<Brand['announcement']>;

/** A letter: one email as plain text and as simple HTML, made from the same words. */

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The content of an email, without sender and recipient. */
export type LetterText = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};
export type Letter = LetterText & {
  /** The kind of letter in the delivery log, such as `invitation`. */
  readonly kind: string;
  readonly to: string;
  /** The account that the letter is about; null for none. */
  readonly accountId: string | null;
};

export type Words = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Details of the letter as pairs of a name and a value, such as an amount. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly button?: { readonly label: string; readonly url: string };
  /** The text after the button, for example how long a link stays valid. */
  readonly notes?: readonly string[];
};

/** The parts that are common to all letters. */
export type Frame = {
  readonly brand: string;
  /** The address of the page where people get help; null for none. */
  readonly supportUrl: string | null;
  readonly language: Language;
};

const HELP = { en: 'Help', zh: '帮助' } as const;
const COLON = { en: ': ', zh: '：' } as const;

/** Renders the words of a letter as plain text and as HTML. */
export function letterText(words: Words, frame: Frame): LetterText {
  const subject = oneLine(words.subject);
  return { subject, text: plain(words, frame), html: page(words, frame) };
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function plain({ paragraphs, facts = [], button, notes = [] }: Words, frame: Frame): string {
  const { brand, supportUrl, language } = frame;
  const colon = COLON[language];
  const parts = [
    ...paragraphs,
    ...(facts.length === 0 ? [] : [facts.map((fact) => fact.join(colon)).join('\n')]),
    ...(button === undefined ? [] : [`${button.label}${colon}\n${button.url}`]),
    ...notes,
    ['-- ', brand, ...(supportUrl === null ? [] : [HELP[language] + colon + supportUrl])].join(
      '\n',
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (it) => SPECIAL[it] ?? it);

/** The inline style of each element, because email clients ignore style sheets. */
const STYLE = {
  page: 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif',
  card: 'max-width:520px;margin:0 auto',
  name: 'padding:2px 16px 2px 0;color:#6b7280;vertical-align:top;white-space:nowrap',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none',
  small: 'color:#6b7280;font-size:14px',
} as const;

function page({ paragraphs, facts = [], button, notes = [] }: Words, frame: Frame): string {
  const { brand, supportUrl, language } = frame;
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="${STYLE.name}">${escaped(name)}</td><td>${escaped(value)}</td></tr>`,
  );
  const help =
    supportUrl === null ? '' : ` · <a href="${escaped(supportUrl)}">${HELP[language]}</a>`;
  return [
    `<!doctype html><html lang="${language === 'zh' ? 'zh-Hans' : 'en'}"><meta charset="utf-8">`,
    `<body style="${STYLE.page}"><div style="${STYLE.card}">`,
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...(rows.length === 0 ? [] : [`<table role="presentation">${rows.join('')}</table>`]),
    ...(button === undefined
      ? []
      : [
          `<p><a style="${STYLE.button}" href="${escaped(button.url)}">${escaped(button.label)}</a></p>`,
          `<p style="${STYLE.small};word-break:break-all">${escaped(button.url)}</p>`,
        ]),
    ...notes.map((note) => `<p style="${STYLE.small}">${escaped(note)}</p>`),
    `<p style="${STYLE.small}">${escaped(brand)}${help}</p></div></body></html>`,
  ].join('\n');
}

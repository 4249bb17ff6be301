/**
 * Writes JSON values as literals of several programming languages. A short value is written on one
 * line.
 */

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** The literal syntax of a language. */
export type Syntax = {
  readonly text: (value: string) => string;
  readonly name: (value: string) => string;
  readonly constant: (value: null | boolean) => string;
  readonly indent: string;
  /** The space between the braces and the content of an object on one line. */
  readonly pad: string;
  /** The comma after the last item of a literal on several lines. */
  readonly lastComma: string;
};

const MAX_LINE_CHARS = 88;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const doubleQuoted = (value: string): string => JSON.stringify(value);

/** Quotes a text with single quotes, the usual style in TypeScript. */
const singleQuoted = (value: string): string => {
  const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
};

/** Writes a property name. A plain `__proto__` key would set the prototype. */
function propertyName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(name) ? name : singleQuoted(name);
}

export const JSON_SYNTAX: Syntax = {
  text: doubleQuoted,
  name: doubleQuoted,
  constant: String,
  indent: '  ',
  pad: '',
  lastComma: '',
};
export const TYPESCRIPT: Syntax = {
  text: singleQuoted,
  name: propertyName,
  constant: String,
  indent: '  ',
  pad: ' ',
  lastComma: ',',
};
export const PYTHON: Syntax = {
  text: doubleQuoted,
  name: doubleQuoted,
  constant: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  indent: '    ',
  pad: '',
  lastComma: ',',
};

/**
 * Writes a value as a literal, on one line if it fits.
 * @param depth the indentation level of the line where the literal starts.
 * @param before the number of other characters on that line, without its indentation.
 */
export function literal(value: Json, syntax: Syntax, depth = 0, before = 0): string {
  const flat = inOneLine(value, syntax);
  const room = MAX_LINE_CHARS - depth * syntax.indent.length - before;
  if (flat.length <= room || isPlain(value)) return flat;
  const inner = syntax.indent.repeat(depth + 1);
  const lines = pieces(value, syntax, (item, name) => literal(item, syntax, depth + 1, name + 1));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const end = `${syntax.lastComma}\n${syntax.indent.repeat(depth)}${close}`;
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}${end}`;
}

function inOneLine(value: Json, syntax: Syntax): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value === 'boolean') return syntax.constant(value);
  const inner = pieces(value, syntax, (item) => inOneLine(item, syntax)).join(', ');
  if (Array.isArray(value)) return `[${inner}]`;
  return inner === '' ? '{}' : `{${syntax.pad}${inner}${syntax.pad}}`;
}

const isPlain = (value: Json): value is null | boolean | number | string =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;

/**
 * Writes the items of an array, or the properties of an object.
 * @param write writes an item; `before` is the number of characters before the item on its line.
 */
function pieces(
  value: Json,
  syntax: Syntax,
  write: (item: Json, before: number) => string,
): readonly string[] {
  if (isPlain(value)) return [];
  if (Array.isArray(value)) return value.map((item) => write(item, 0));
  return Object.entries(value).map(([name, item]) => {
    const start = `${syntax.name(name)}: `;
    return start + write(item, start.length);
  });
}

/** Writes the arguments of a call, one per line: `name: value`, or `name=value` in Python. */
export function namedArguments(
  values: { readonly [name: string]: Json },
  syntax: Syntax,
  sign: ': ' | '=',
  depth = 1,
): string {
  return Object.entries(values)
    .map(([name, value]) => {
      const start = (sign === '=' ? name : syntax.name(name)) + sign;
      const written = literal(value, syntax, depth, start.length + 1);
      return `${syntax.indent.repeat(depth)}${start}${written},\n`;
    })
    .join('');
}

/**
 * Writes an argument that the library's TypeScript types lack. Uses a spread, which TypeScript does
 * not check for excess properties.
 */
export const unknownArgument = (value: Json): string =>
  `  // The types lack this field; the library sends it anyway.
  ...${literal(value, TYPESCRIPT, 1, 4)},\n`;

/** Quotes a text for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

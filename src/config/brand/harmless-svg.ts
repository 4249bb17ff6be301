/**
 * Sanitizes an SVG: copies only the allowed elements and attributes. The result has no scripts,
 * style sheets or HTML, and no references to anything outside the SVG.
 */

/** The elements that a logo may have. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['svg', 'g', 'defs', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line'],
  ...['polyline', 'polygon', 'text', 'tspan', 'linearGradient', 'radialGradient', 'stop'],
  ...['clipPath', 'mask'],
]);
/** Elements that are removed with their content, because they draw nothing. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'metadata']);
/** The elements whose text content is copied. */
const WITH_TEXT: ReadonlySet<string> = new Set(['title', 'desc', 'text', 'tspan']);

/** The allowed attributes that can also be written as properties in a `style` attribute. */
const PRESENTATION: ReadonlySet<string> = new Set([
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'color'],
  ...['stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit', 'stroke-dasharray'],
  ...['stroke-dashoffset', 'opacity', 'clip-path', 'clip-rule', 'mask', 'stop-color', 'display'],
  ...['stop-opacity', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor'],
  ...['letter-spacing', 'dominant-baseline', 'visibility', 'paint-order', 'vector-effect'],
]);
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['id', 'd', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy'],
  ...['dx', 'dy', 'width', 'height', 'viewBox', 'points', 'transform', 'offset', 'pathLength'],
  ...['gradientUnits', 'gradientTransform', 'spreadMethod', 'clipPathUnits', 'maskUnits'],
  ...['maskContentUnits', 'preserveAspectRatio', 'textLength', 'lengthAdjust'],
]);

/**
 * Matches an attribute value without markup and escapes. Its only functions are those with numeric
 * arguments, such as `rgb(…)` or a transform, and `url(#id)`.
 */
const VALUE = /^(?:[^<>&"'()\\:@]|\((?=[\d\s,.%eE+-]*\))|(?<=\([\d\s,.%eE+-]*)\)|url\(#[\w-]+\))*$/;
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*>|<\/(?<end>[\w:-]+)\s*>|<(?<start>[\w:-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<closed>\/?)>|(?<text>[^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/**
 * Matches text in which every entity is a character reference by number or one of XML's predefined
 * entities.
 */
const TEXT = /^(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-f]{1,6});)*$/i;
const NAMESPACE = 'http://www.w3.org/2000/svg';
const MAX_DEPTH = 40;

/** The sanitized SVG, or the reason why the given SVG is refused. */
export type Cleaned = { readonly svg: string } | { readonly problem: string };

const BROKEN = { problem: 'is not well-formed SVG' } as const;

export function harmlessSvg(source: string): Cleaned {
  const written: string[] = [];
  /** The stack of open elements. `isKept` is false for an element that is removed. */
  const open: { readonly name: string; readonly isKept: boolean }[] = [];
  let [position, hasRoot] = [0, false];
  while (position < source.length) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(source);
    if (match === null) return BROKEN;
    position = TOKEN.lastIndex;
    const { end, start, attributes = '', closed, text } = match.groups ?? {};
    const isKept = open.at(-1)?.isKept ?? true;
    if (text !== undefined) {
      if (!isKept || !WITH_TEXT.has(open.at(-1)?.name ?? '')) continue;
      if (!TEXT.test(text)) return BROKEN;
      written.push(text);
    } else if (end !== undefined) {
      const last = open.pop();
      if (last?.name !== end) return BROKEN;
      if (last.isKept) written.push(`</${end}>`);
    } else if (start !== undefined) {
      if (open.length === 0 && (hasRoot || start !== 'svg')) return BROKEN;
      if (open.length >= MAX_DEPTH) return { problem: 'is nested too deep' };
      hasRoot = true;
      // Removes elements with a namespace prefix, because they are metadata of the drawing program.
      const isSeen = isKept && !UNSEEN.has(start) && !start.includes(':');
      if (isSeen && !ELEMENTS.has(start)) {
        return { problem: `has <${start}>, which a logo cannot have; export it as plain paths` };
      }
      if (isSeen) {
        const namespace = open.length === 0 ? ` xmlns="${NAMESPACE}"` : '';
        written.push(`<${start}${namespace}${kept(attributes)}${closed}>`);
      }
      if (closed === '') open.push({ name: start, isKept: isSeen });
    }
  }
  return hasRoot && open.length === 0 ? { svg: written.join('') } : BROKEN;
}

/**
 * Returns the allowed attributes of an element, serialized. Allowed properties in its `style`
 * attribute become attributes.
 */
function kept(attributes: string): string {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? '';
    if (name === 'style') {
      for (const declaration of value.split(';')) {
        const [property = '', ...rest] = declaration.split(':');
        if (PRESENTATION.has(property.trim())) found.set(property.trim(), rest.join(':').trim());
      }
    } else if (ATTRIBUTES.has(name) || PRESENTATION.has(name)) {
      if (!found.has(name)) found.set(name, value);
    }
  }
  return [...found]
    .filter(([, value]) => VALUE.test(value))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

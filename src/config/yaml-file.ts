/** A YAML file whose every value knows its line, with `${ENV}` and `${ENV:-default}` expanded. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { ConfigError, type Problem } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type YamlFile = {
  readonly value: unknown;
  /** `modelgate.yaml:12`: where the value at this path stands, or its nearest parent. */
  readonly locate: (path: readonly PropertyKey[]) => string;
};

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * @param name of the file, as problems should call it.
 * @throws ConfigError for broken YAML, duplicate keys and unset variables.
 */
export function readYaml(text: string, name: string, env: Environment): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  const problems: Problem[] = document.errors.map((error) => ({
    where: at(error.pos[0]),
    path: '',
    message: error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? 'is not valid YAML',
  }));
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return;
      node.value = node.value.replace(VARIABLE, (_whole, variable: string, fallback?: string) => {
        const found = env[variable] ?? fallback;
        if (found !== undefined) return found;
        problems.push({
          where: at(node.range?.[0] ?? 0),
          path: '',
          message: `the environment variable ${variable} is not set; set it, or write \${${variable}:-default}`,
        });
        return '';
      });
    },
  });
  if (problems.length > 0) throw new ConfigError(problems);
  const root = document.contents;
  return {
    value: document.toJS() ?? {},
    locate: (path) => at(root === null ? 0 : offsetOf(root, path)),
  };
}

/** Where the key of the last step stands; for a missing one, where its parent does. */
function offsetOf(root: Node, path: readonly PropertyKey[]): number {
  let node: unknown = root;
  let offset = root.range?.[0] ?? 0;
  for (const step of path) {
    const next = child(node, step);
    if (next === null) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

function child(node: unknown, step: PropertyKey): { node: unknown; offset: number } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    if (pair === undefined || !isScalar(pair.key)) return null;
    return { node: pair.value, offset: pair.key.range?.[0] ?? 0 };
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    const range = typeof item === 'object' && item !== null && 'range' in item ? item.range : null;
    return item === undefined
      ? null
      : { node: item, offset: Array.isArray(range) ? Number(range[0]) : 0 };
  }
  return null;
}

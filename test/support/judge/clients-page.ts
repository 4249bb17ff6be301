/** For tests: generates the text of `docs/clients.md`, which `npm run docs:clients` writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UpstreamDialect } from '../upstreams/scripted-turns.ts';
import type { TextEndpointName } from '../upstreams/stream-grammar.ts';
import { at } from '../wire.ts';
import { CLIENTS, type ClientRow, reachedFrom, SCENARIOS, type Scenario } from './client-table.ts';

const ROOT = join(import.meta.dir, '../../..');
export const CLIENTS_PAGE = join(ROOT, 'docs/clients.md');

const ENDPOINTS: Readonly<Record<TextEndpointName, string>> = {
  chat: 'Chat completions',
  messages: 'Messages',
  responses: 'Responses',
};
const DIALECTS: Readonly<Record<UpstreamDialect, string>> = {
  chat: 'chat completions',
  messages: 'Messages',
  responses: 'Responses',
};

const rows: readonly (readonly [string, ClientRow])[] = Object.entries(CLIENTS);
const scenarios = Object.keys(SCENARIOS) as readonly Scenario[];

/**
 * Returns the version of a client that the tests install.
 * @throws Error when no file pins the package to a version.
 */
function versionOf({ package: name, pinned }: ClientRow): string {
  const text = readFileSync(join(ROOT, pinned), 'utf8');
  const version = pinned.endsWith('.txt')
    ? text.split('\n').find((line) => line.startsWith(`${name}==`))
    : dependencyOf(JSON.parse(text), name);
  // The version is at the end, even in an alias such as `npm:openai@4.104.0`.
  const found = /[\d.]+$/.exec(version ?? '')?.[0];
  if (found === undefined) throw new Error(`${name} is not pinned in ${pinned}`);
  return found;
}

function dependencyOf(manifest: unknown, name: string): string {
  const lists = ['devDependencies', 'dependencies'].map((list) => Object(at(manifest, list)));
  return String(lists.map((list) => list[name]).find((found) => found !== undefined));
}

/** Returns the number of a note on the page. Notes are numbered in the order of their first use. */
function numbered(notes: string[], note: string): number {
  if (!notes.includes(note)) notes.push(note);
  return notes.indexOf(note) + 1;
}

function cell({ exceptions }: ClientRow, scenario: Scenario, notes: string[]): string {
  const found = exceptions?.[scenario];
  if (found === undefined) return '✓';
  const { note, over } = found;
  if (over === undefined) return `(${numbered(notes, note)})`;
  const named = over.map((dialect) => DIALECTS[dialect]).join(', ');
  return `✓ (${numbered(notes, `Upstreams that speak ${named}: ${note}`)})`;
}

function tableOf(endpoint: TextEndpointName, notes: string[]): string {
  const head = ['Client', 'Version', ...scenarios.map((scenario) => SCENARIOS[scenario])];
  const lines = rows
    .filter(([, row]) => row.endpoint === endpoint)
    .map(([name, row]) => [
      name,
      versionOf(row),
      ...scenarios.map((scenario) => cell(row, scenario, notes)),
    ]);
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function sectionOf(endpoint: TextEndpointName, notes: string[]): string {
  const spoken = reachedFrom(endpoint).map((dialect) => DIALECTS[dialect]);
  const list = `${spoken.slice(0, -1).join(', ')} and ${spoken.at(-1)}`;
  return `## ${ENDPOINTS[endpoint]}\n\nOver upstreams that speak ${list}.\n\n${tableOf(endpoint, notes)}\n`;
}

export function clientsPage(): string {
  const notes: string[] = [];
  const endpoints = Object.keys(ENDPOINTS) as readonly TextEndpointName[];
  const sections = endpoints.map((endpoint) => sectionOf(endpoint, notes));
  return `# Clients

The tests run these clients unchanged against a gateway; only the base URL and the key are set. Each ✓
stands for tests with every upstream protocol that the endpoint supports: with the five chat models of
the shipped configuration, and with scripted upstreams for what these models never do. A number refers
to a note below about something that the client itself cannot do.

\`npm run docs:clients\` writes this page from the table that the tests run. A test fails when the page
is out of date.

- **Plain**, **Stream**: a text. Both forms return the same text, finish reason and token counts.
- **Thinking**: the client's own option requests thinking, and the client returns it.
- **Tools**, **Parallel tools**: one call, and two calls in one answer, each with complete arguments.
- **JSON schema**, **Image**, **PDF**: an answer that matches the schema, and inputs that the model gets.
- **Token limit**: the answer ends at the limit, and the client reports it.
- **Reasoning loop**: the client sends tool results back, and the upstream also gets its thinking back:
  on Messages with the signature, on Responses with the encrypted content, on chat completions as text.
- **Errors**: 400 with the upstream's reason, 402, 429 and 503, each with the gateway's message.
- **Cut stream**: the upstream's connection ends in the middle; the client reports a failure.

${sections.join('\n')}
## Notes

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}
`;
}

if (import.meta.main) writeFileSync(CLIENTS_PAGE, clientsPage());

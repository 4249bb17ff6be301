/**
 * Tests the settings for chat applications in `chat-apps.md`: reads the tables of settings, and
 * runs the libraries with which Cherry Studio and Dify call models with these settings.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf, WRITTEN_ADDRESS } from '../support/clients/guide-blocks.ts';
import {
  CLIENT_FILES,
  cherryStudio,
  INSTALL_LIMIT_MS,
  pythonTool,
} from '../support/clients/installed-clients.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import form from './dify-fields.json';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

type Environment = Readonly<Record<string, string>>;

async function run(command: readonly string[], env: Environment, input = ''): Promise<unknown> {
  const child = Bun.spawn([...command], {
    env: { PATH: process.env['PATH'] ?? '', KEY: gateway.key, ...env },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/**
 * Returns the columns of a section's table except the first column, which has the names of the
 * settings. Each returned column maps settings to values.
 */
function columnsOf(application: string): readonly ReadonlyMap<string, string>[] {
  const section = sectionsOf('chat-apps.md').find(({ where }) => where.endsWith(application));
  const [head = [], , ...rows] = (section?.text.match(/^\|.*\|$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '').replace(WRITTEN_ADDRESS, gateway.url)),
  );
  return head.slice(1).map((name, at) => {
    const cells = rows.map((row): [string, string] => [row[0] ?? '', row[at + 1] ?? '']);
    return new Map([['', name], ...cells.filter(([, value]) => value !== '')]);
  });
}

describe('Cherry Studio', () => {
  /** The package of the AI SDK that Cherry Studio uses for each provider type in its settings. */
  const PROVIDERS = {
    OpenAI: 'openai-compatible',
    'OpenAI-Response': 'openai',
    Anthropic: 'anthropic',
  };

  test.each(Object.entries(PROVIDERS))(
    'type %s answers as written',
    async (type, provider) => {
      const column = columnsOf('Cherry Studio').find((each) => each.get('Provider type') === type);
      // If a URL has no version, Cherry Studio appends `/v1`.
      const address = `${column?.get('API address')}/v1`;
      // The program is copied, because Node looks for packages in the folder of the program.
      const folder = await cherryStudio();
      copyFileSync(join(CLIENT_FILES, 'cherry-studio/ask.mjs'), join(folder, 'ask.mjs'));
      for (const url of [address, `${gateway.url}/v2`]) {
        for (const model of ['gen-v4-pro', 'gen-opus-4-8']) {
          const answers = await run(['node', join(folder, 'ask.mjs'), provider, url, model], {});
          expect(answers).toEqual(Array(2).fill(expect.stringContaining('Hello there')));
        }
      }
    },
    INSTALL_LIMIT_MS,
  );

  test('the table has these types', () => {
    expect(columnsOf('Cherry Studio').map((each) => each.get('Provider type'))).toEqual(
      Object.keys(PROVIDERS),
    );
  });
});

describe('Dify', () => {
  const KINDS = { LLM: 'llm', 'Text Embedding': 'text-embedding' } as const;
  type Kind = keyof typeof KINDS;
  /**
   * The label of the model name in Dify's form. The plugin's schema (`form`) does not contain this
   * field.
   */
  const MODEL = 'Model Name';

  const fieldsOf = (kind: Kind) => form.fields.filter(({ kinds }) => kinds.includes(KINDS[kind]));

  function columnOf(kind: Kind): ReadonlyMap<string, string> {
    const column = columnsOf('Dify').find((each) => each.get('') === kind) ?? new Map();
    return new Map([...column].filter(([field]) => field !== ''));
  }

  /** Returns the variables that Dify's form stores when a person enters the guide's values. */
  function variablesOf(kind: Kind): Environment {
    const stored = [...columnOf(kind)].flatMap(([label, value]) => {
      const field = fieldsOf(kind).find((each) => each.label === label);
      if (field === undefined) return [];
      const option = Object.entries(field.options ?? {}).find(([shown]) => shown === value)?.[1];
      return [[field.variable, value === 'your key' ? gateway.key : (option ?? value)]];
    });
    return Object.fromEntries(stored);
  }

  const ask = async (kind: Kind) => {
    const packages = join(await pythonTool('dify'), 'packages');
    const variables = variablesOf(kind);
    const question = { kind: KINDS[kind], model: columnOf(kind).get(MODEL), variables };
    const env = { PYTHONPATH: packages };
    return run(['python3', join(CLIENT_FILES, 'dify.py')], env, JSON.stringify(question));
  };

  test.each(['LLM', 'Text Embedding'] as const)(
    'the form of %s has each field and value, and no other required field',
    (kind) => {
      const fields = fieldsOf(kind);
      const column = columnOf(kind);
      const labels = fields.map(({ label }) => label);
      expect([...labels, MODEL]).toEqual(expect.arrayContaining([...column.keys()]));
      for (const { label, options, required } of fields) {
        const value = column.get(label);
        if (required) expect([label, value]).toEqual([label, expect.any(String)]);
        if (options !== undefined && value !== undefined)
          expect(Object.keys(options)).toContain(value);
      }
    },
  );

  test(
    'validates and calls a tool in a stream with these settings, and gets the billed usage',
    async () => {
      expect(await ask('LLM')).toMatchObject({
        features: expect.arrayContaining(['multi-tool-call', 'stream-tool-call']),
        calls: ['get_weather'],
        tokens: expect.any(Number),
      });
    },
    INSTALL_LIMIT_MS,
  );

  test(
    'embeds texts with these settings',
    async () => {
      expect(await ask('Text Embedding')).toMatchObject({ embeddings: 2 });
    },
    INSTALL_LIMIT_MS,
  );
});

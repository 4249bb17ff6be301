import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JSON_SYNTAX, type Json, literal, PYTHON, shellQuoted, TYPESCRIPT } from './literal.ts';

const json = fc
  .jsonValue({ noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)));

test('a TypeScript or JSON literal evaluates to its value', () => {
  fc.assert(
    fc.property(json, (value: Json) => {
      expect(JSON.parse(literal(value, JSON_SYNTAX))).toEqual(value);
      const read: unknown = new Function(`return ${literal(value, TYPESCRIPT)}`)();
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    }),
  );
});

test('short literals stay on one line, long ones are broken', () => {
  const short = { role: 'user', content: "it's" };
  expect(literal(short, TYPESCRIPT)).toBe(`{ role: 'user', content: 'it\\'s' }`);
  const long = { messages: [short, { role: 'assistant', content: 'x'.repeat(40) }] };
  expect(literal(long, PYTHON)).toBe(
    `{
    "messages": [
        {"role": "user", "content": "it's"},
        {"role": "assistant", "content": "${'x'.repeat(40)}"},
    ],
}`,
  );
});

test('Python has its own constants', () => {
  expect(literal([true, false, null, 0.5], PYTHON)).toBe('[True, False, None, 0.5]');
});

test('a shell does not interpret quoted text', async () => {
  const text = `$(touch x) \`id\` "a" 'b' \\ $HOME\nend`;
  const child = Bun.spawn(['sh', '-c', `printf %s ${shellQuoted(text)}`], { stdout: 'pipe' });
  expect(await new Response(child.stdout).text()).toBe(text);
});

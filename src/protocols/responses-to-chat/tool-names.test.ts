import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../../json/object.ts';
import { type CallerTool, definedTools, toolNames as namesOf, ToolNames } from './tool-names.ts';

const toolNames = (request: JsonObject): ToolNames => namesOf(definedTools(request));

const fn = (name: string): JsonObject => ({ type: 'function', name, parameters: {} });
const custom = (name: string): JsonObject => ({ type: 'custom', name });
const namespace = (name: string, ...tools: JsonObject[]): JsonObject => ({
  type: 'namespace',
  name,
  description: `Tools of ${name}.`,
  tools,
});
const tool = (
  name: string,
  inside: string | null = null,
  kind: CallerTool['kind'] = 'function',
): CallerTool => ({ kind, name, namespace: inside });
const chatNames = (request: JsonObject): string[] => {
  const names = toolNames(request);
  return definedTools(request).flatMap(({ tool: each }) =>
    each === null ? [] : [names.chatName(each)],
  );
};

describe('names of tools', () => {
  test('join a namespace and its tool, and lead back to both', () => {
    const names = toolNames({ tools: [fn('add'), namespace('mcp__demo', fn('add'))] });
    expect(names.chatName(tool('add'))).toBe('add');
    expect(names.chatName(tool('add', 'mcp__demo'))).toBe('mcp__demo__add');
    expect(names.callerTool('add')).toEqual(tool('add'));
    expect(names.callerTool('mcp__demo__add')).toEqual(tool('add', 'mcp__demo'));
  });

  test('keep one name in two namespaces and outside of them apart', () => {
    const tools = [namespace('a', fn('x')), namespace('b', fn('x')), fn('x')];
    expect(chatNames({ tools })).toEqual(['a__x', 'b__x', 'x']);
  });

  test('get a digest if two tools would have the same name', () => {
    const tools = [namespace('a', fn('b__c')), namespace('a__b', fn('c')), custom('a__b__c')];
    const given = chatNames({ tools });
    expect(given[0]).toBe('a__b__c');
    expect(given.slice(1)).toEqual([
      expect.stringMatching(/^a__b__c_[0-9a-f]{12}$/),
      expect.stringMatching(/^a__b__c_[0-9a-f]{12}$/),
    ]);
    expect(new Set(given).size).toBe(3);
    const names = toolNames({ tools });
    expect(given.map((name) => names.callerTool(name))).toEqual([
      tool('b__c', 'a'),
      tool('c', 'a__b'),
      tool('a__b__c', null, 'custom'),
    ]);
  });

  test('are shortened over 64 characters, and lose the characters that chat refuses', () => {
    const long = 'a'.repeat(40);
    const given = chatNames({
      tools: [namespace(long, fn(`${long}1`), fn(`${long}2`)), fn('a.b')],
    });
    for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(given).size).toBe(3);
    expect(given[2]).toMatch(/^a_b_[0-9a-f]{12}$/);
  });

  test('come from the tools, from added tools and from the results of a tool search', () => {
    const names = toolNames({
      tools: [{ type: 'tool_search', execution: 'client' }, { type: 'web_search' }],
      input: [
        { type: 'additional_tools', role: 'developer', tools: [custom('exec')] },
        { role: 'user', content: 'Hi' },
        { type: 'tool_search_output', call_id: 'c', tools: [namespace('mcp__demo', fn('add'))] },
      ],
    });
    expect(names.callerTool('tool_search').kind).toBe('tool_search');
    expect(names.callerTool('exec').kind).toBe('custom');
    expect(names.callerTool('mcp__demo__add')).toEqual(tool('add', 'mcp__demo'));
  });

  test('that the request does not offer are functions', () => {
    expect(toolNames({}).callerTool('invented')).toEqual(tool('invented'));
    expect(new ToolNames().chatName(tool('add', 'gone'))).toBe('gone__add');
  });

  test('do not change when a tool is offered twice', () => {
    const tools = [fn('a'), fn('a')];
    expect(chatNames({ tools })).toEqual(['a', 'a']);
  });

  test('lead back to their tool, whatever the request offers', () => {
    const name = fc.oneof(fc.constantFrom('a', 'a__b', 'b__c', 'c'), fc.string({ minLength: 1 }));
    const plain = fc.tuple(fc.constantFrom(fn, custom), name).map(([make, each]) => make(each));
    const any = fc.oneof(
      plain,
      fc.tuple(name, fc.array(plain)).map(([of, tools]) => namespace(of, ...tools)),
    );
    fc.assert(
      fc.property(fc.array(any), (tools) => {
        const names = toolNames({ tools });
        for (const { tool: each } of definedTools({ tools })) {
          if (each === null) throw new Error('a tool was not recognized');
          const chatName = names.chatName(each);
          expect(chatName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(names.callerTool(chatName)).toEqual(each);
        }
      }),
      { seed: 14 },
    );
  });
});

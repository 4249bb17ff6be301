/** A Model Context Protocol server with one tool: adds two numbers. */
import { createInterface } from 'node:readline';

const TOOL = {
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'demo', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { a, b } }) => ({
    content: [{ type: 'text', text: `The sum is ${a + b}.` }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = METHODS[method]?.(params);
  const error = { code: -32601, message: `no method ${method}` };
  const answer = { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

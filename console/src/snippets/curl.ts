/** By hand, in a terminal. */
import { JSON_SYNTAX, type Json, literal, shellQuoted } from './literal.ts';
import {
  KEY_VARIABLE,
  type ModelRequest,
  type Program,
  providerOf,
  type Target,
} from './request.ts';

export function curl({ baseUrl, key }: Target, request: ModelRequest): Program {
  const path = request.kind === 'image' ? '/v2/images/generations' : '/v2/chat/completions';
  const streams = request.kind === 'chat' && request.isStreamed;
  const authorization =
    key === null
      ? `"Authorization: Bearer $${KEY_VARIABLE}"`
      : shellQuoted(`Authorization: Bearer ${key}`);
  const lines = [
    // Without -N the words would wait until there are enough of them.
    `curl ${streams ? '-sSN' : '-sS'} ${baseUrl}${path}`,
    `-H ${authorization}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellQuoted(literal(bodyOf(request), JSON_SYNTAX, 1, MAX_BESIDE))}`,
  ];
  return { language: 'bash', code: `${lines.join(' \\\n  ')}\n`, install: null };
}

/** So that the body is always broken into lines: what people change is in it. */
const MAX_BESIDE = 60;

function bodyOf(request: ModelRequest): { readonly [name: string]: Json } {
  const { model, channel, parameters } = request;
  if (request.kind === 'image') {
    return { model, prompt: request.prompt, ...parameters, ...providerOf(channel) };
  }
  // Said either way: left out, a terminal would get a stream.
  return {
    model,
    stream: request.isStreamed,
    ...parameters,
    ...providerOf(channel),
    messages: request.messages,
  };
}

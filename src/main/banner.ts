/** What a person sees who has just started the gateway. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { formatAmount } from '../money/amount.ts';
import type { FirstStart } from './first-start.ts';

const TRY_MODEL = 'gen-opus-4-8';

export function banner(url: string, catalogue: Catalogue, first: FirstStart | null): string {
  const lines = [
    `Modelgate answers at ${url}`,
    `  OpenAI clients:     base URL ${url}/v2`,
    `  Anthropic clients:  base URL ${url}`,
  ];
  if (first !== null) {
    lines.push('', `  Your first API key, shown only now:`, `    ${first.key.reveal()}`);
    if (first.credit !== null) {
      const { amount, currency, source } = first.credit;
      lines.push(
        `  Its account has ${formatAmount(amount)} ${currency}${source === 'demo' ? ' of demo credit' : ''}.`,
      );
    }
    lines.push('', '  Try it:', `    ${curlLine(url, first.key.reveal(), catalogue)}`);
  }
  const examples = exampleModels(catalogue);
  if (examples.length > 0) {
    lines.push('', `  Example prices, to be replaced before you sell: ${examples.join(', ')}`);
  }
  return `${lines.join('\n')}\n\n`;
}

function curlLine(url: string, key: string, catalogue: Catalogue): string {
  const chatModels = [...catalogue.models.values()]
    .filter(({ kind }) => kind === 'chat')
    .map(({ id }) => id);
  const model = chatModels.find((id) => id === TRY_MODEL) ?? chatModels[0] ?? TRY_MODEL;
  const body = JSON.stringify({
    model,
    stream: false,
    messages: [{ role: 'user', content: 'Hello! Who are you?' }],
  });
  return `curl ${url}/v2/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`;
}

function exampleModels(catalogue: Catalogue): readonly string[] {
  return [...catalogue.models.values()].flatMap((model) => {
    const channels = [...model.channels.values()]
      .filter(({ card }) => card.example)
      .map(({ name }) => name);
    return channels.length === 0 ? [] : [`${model.id} (${channels.join(', ')})`];
  });
}

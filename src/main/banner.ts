/** What a person sees who has just started the gateway. */
import { endsOf, maskOf } from '../accounts/api-key.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { formatAmount } from '../money/amount.ts';
import type { FirstStart } from './first-start.ts';

const TRY_MODEL = 'gen-opus-4-8';

/** @param setupUrl where the first administrator is made; null: there is one. */
export function banner(
  url: string,
  catalogue: Catalogue,
  first: FirstStart | null,
  setupUrl: string | null,
): string {
  const lines = [
    `Modelgate answers at ${url}`,
    `  OpenAI clients:     base URL ${url}/v2`,
    `  Anthropic clients:  base URL ${url}`,
    `  Console:            ${url}/console`,
  ];
  if (setupUrl !== null) {
    lines.push('', '  Nobody is administrator yet. This link makes one, once:', `    ${setupUrl}`);
  }
  if (first !== null) {
    lines.push('', ...keyLines(first));
    if (first.credit !== null) {
      const { amount, currency, source } = first.credit;
      lines.push(
        `  Its account has ${formatAmount(amount)} ${currency}${source === 'demo' ? ' of demo credit' : ''}.`,
      );
    }
    const key = first.given ? '$KEY' : first.key.reveal();
    const tryIt = first.given ? 'Try it, with that key in KEY:' : 'Try it:';
    lines.push('', `  ${tryIt}`, `    ${curlLine(url, key, catalogue)}`);
  }
  const examples = exampleModels(catalogue);
  if (examples.length > 0) {
    lines.push('', `  Example prices, to be replaced before you sell: ${examples.join(', ')}`);
  }
  return `${lines.join('\n')}\n\n`;
}

/** A key that the operator gave is a secret of theirs, and this text ends in the logs of a container. */
function keyLines({ key, given }: FirstStart): readonly string[] {
  return given
    ? [`  Your first API key is that of MODELGATE_INIT_KEY: ${maskOf(endsOf(key))}`]
    : ['  Your first API key, shown only now:', `    ${key.reveal()}`];
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

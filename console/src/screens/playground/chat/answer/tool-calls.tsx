/** The model's tool calls, and the fields in which a person enters the results. */
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ToolCall } from '#chat/answer.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { useTexts } from '#i18n/texts.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import { laidOut } from '#screens/playground/chat/settings/tools.ts';

export type CallViewProps = { readonly call: ToolCall; readonly isGrowing: boolean };

export function CallView({ call, isGrowing }: CallViewProps) {
  const t = useTexts(chatTexts);
  const title = t('calls', { name: call.name });
  return (
    <CodeBlock
      code={isGrowing ? call.input : laidOut(call.input)}
      language={call.type === 'function' ? 'json' : null}
      label={title}
      title={title}
    />
  );
}

export type ResultFormProps = {
  readonly calls: readonly ToolCall[];
  readonly onSend: (results: Readonly<Record<string, string>>) => void;
};

export function ResultForm({ calls, onSend }: ResultFormProps) {
  const t = useTexts(chatTexts);
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSend(results);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {calls.map(({ id, name }) => (
          <Textarea
            key={id}
            label={t('resultOf', { name })}
            placeholder={t('resultHint')}
            autosize
            minRows={2}
            maxRows={8}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={results[id] ?? ''}
            onChange={({ currentTarget }) => setResults({ ...results, [id]: currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
        ))}
        <Button type="submit" variant="light" style={{ alignSelf: 'flex-start' }}>
          {t('sendResults')}
        </Button>
      </Stack>
    </form>
  );
}

/** Shows the result that a person has sent to the model for a tool call. */
export function ResultView({ name, text }: { readonly name: string; readonly text: string }) {
  const t = useTexts(chatTexts);
  const title = t('resultOf', { name });
  return text === '' ? (
    <Text variant="note">{title}: –</Text>
  ) : (
    <CodeBlock code={laidOut(text)} language="json" label={title} title={title} />
  );
}

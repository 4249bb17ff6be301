/** Example prompts for an empty conversation. A click sends the example. */
import { Button, Stack, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import type { Model } from '#catalogue/models.ts';
import { Empty } from '#components/empty.tsx';
import { useTexts } from '#i18n/texts.ts';
import type { ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';

const EXAMPLES = ['exampleExplain', 'exampleCode', 'exampleReason'] as const;

export type EmptyConversationProps = {
  readonly store: ChatStore;
  readonly name: string;
  readonly models: readonly Model[];
};

export function EmptyConversation({ store, name, models }: EmptyConversationProps) {
  const t = useTexts(chatTexts);
  return (
    <Empty
      icon={IconMessages}
      title={t('emptyTitle', { model: name })}
      action={
        <Stack gap="xs" w="100%" maw={460}>
          {EXAMPLES.map((example) => (
            <Button
              key={example}
              variant="default"
              fw={400}
              h="auto"
              py={8}
              styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
              onClick={() => store.send(models, t(example))}
            >
              {t(example)}
            </Button>
          ))}
          <Text size="xs" c="dimmed">
            {t('keyHint')}
          </Text>
        </Stack>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

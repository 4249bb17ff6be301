/**
 * Shows a secret only once. The person can copy or save the secret, and the dialog closes only when
 * the person confirms that they have stored it.
 */
import { Alert, Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconDownload, IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { type MadeFile, saveFile } from './save-file.ts';

const texts = defineTexts('shown-once', {
  en: {
    once: 'Shown only once',
    download: 'Download',
    saved: 'I saved it',
    secret: 'Secret',
  },
  zh: {
    once: '仅显示一次',
    download: '下载',
    saved: '我已保存',
    secret: '仅显示一次的内容',
  },
});

const MAX_HEIGHT = 320;

export type ShownOnceProps = {
  readonly opened: boolean;
  readonly title: string;
  /** The purpose of the secret, and a notice that the secret cannot be shown again. */
  readonly children: ReactNode;
  /** The secret, or several secrets separated by line breaks. */
  readonly secret: string;
  /** A file with the secret, which the user can download instead of copying it. */
  readonly file: MadeFile;
  readonly onSaved: () => void;
};

export function ShownOnce({ opened, title, children, secret, file, onSaved }: ShownOnceProps) {
  const t = useTexts(texts);
  return (
    <Dialog
      opened={opened}
      onClose={onSaved}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconEyeOff />} title={t('once')}>
          <Text size="sm" component="div">
            {children}
          </Text>
        </Alert>
        <ScrollArea.Autosize
          mah={MAX_HEIGHT}
          viewportProps={{ tabIndex: 0, 'aria-label': t('secret'), role: 'region' }}
        >
          <Code block fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {secret}
          </Code>
        </ScrollArea.Autosize>
        <Group justify="space-between">
          <Group gap="sm">
            <CopyButton data-autofocus value={secret} />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => saveFile(file)}
            >
              {t('download')}
            </Button>
          </Group>
          <Button variant="default" onClick={onSaved}>
            {t('saved')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

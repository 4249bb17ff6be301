/**
 * Shows a secret only once, with a copy button and a code example. Only the confirm button closes
 * the dialog, so that Esc or a click outside cannot lose the secret.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { useModels } from '#catalogue/models.ts';
import { CopyButton } from '#components/copy-button.tsx';
import { Dialog } from '#components/dialog.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { ProgramTabs } from '#snippets/program-tabs.tsx';
import { simpleChat } from '#snippets/request.ts';
import classes from './secret-dialog.module.css';

const texts = defineTexts('secret-dialog', {
  en: {
    title: 'Save your key',
    once: 'The key is shown only now. Nobody can show it again, not even an administrator.',
    key: 'New key',
    copy: 'Copy key',
    use: 'Use the key',
    saved: 'I saved it',
  },
  zh: {
    title: '请保存您的密钥',
    once: '密钥只显示这一次，之后任何人都无法再次查看，包括管理员。',
    key: '新密钥',
    copy: '复制密钥',
    use: '开始使用',
    saved: '我已保存',
  },
});

export type SecretProps = {
  readonly secret: string;
  /** The models that the key may use; null for all models. */
  readonly models: readonly string[] | null;
  /** Further information, such as when the previous secret expires. */
  readonly note?: ReactNode;
};

export type SecretDialogProps = SecretProps & { readonly onSaved: () => void };

export function SecretDialog({ onSaved, ...secret }: SecretDialogProps) {
  const t = useTexts(texts);
  return (
    <Dialog
      opened
      onClose={onSaved}
      title={t('title')}
      size="xl"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <SecretShown {...secret} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onSaved}>
            {t('saved')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The content of the dialog, for pages that show a secret inline. */
export function SecretShown({ secret, models, note }: SecretProps) {
  const t = useTexts(texts);
  const { data: catalogue } = useModels();
  const baseUrl = useGatewayAddress();
  const chat = catalogue?.find(
    ({ id, kind }) => kind === 'chat' && (models === null || models.includes(id)),
  );
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
        {t('once')}
      </Alert>
      <Group gap="sm" align="stretch">
        <output className={classes['secret']} aria-label={t('key')}>
          {secret}
        </output>
        <CopyButton size="md" miw={150} data-autofocus value={secret} label={t('copy')} />
      </Group>
      {note}
      {chat === undefined ? null : (
        <Stack gap="xs">
          <Text fw={600}>{t('use')}</Text>
          <ProgramTabs target={{ baseUrl, key: secret }} request={simpleChat(chat.id)} />
        </Stack>
      )}
    </Stack>
  );
}

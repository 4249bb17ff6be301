/** Shows a one-time link with its recipient, its expiry and a copy button. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from '#components/copy-button.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('one-time-link', {
  en: {
    once: 'This link is shown only now. It works once and expires at {{time}}. Anyone with the link can use it, so send it only to the intended person.',
    mailed: 'It was also emailed to {{address}}.',
    link: 'Link',
    copy: 'Copy link',
    done: 'Done',
  },
  zh: {
    once: '链接仅显示这一次，且只能使用一次，有效期至 {{time}}。任何持有链接的人都能使用，请只发给应收到链接的人。',
    mailed: '链接也已发送至 {{address}}。',
    link: '链接',
    copy: '复制链接',
    done: '完成',
  },
});

export type OneTimeLinkProps = {
  readonly url: string;
  /** When the link expires, in ISO 8601. */
  readonly expiresAt: string;
  /** The email address that the link was also sent to; null if it was not sent. */
  readonly mailedTo: string | null;
  readonly onDone: () => void;
};

export function OneTimeLink({ url, expiresAt, mailedTo, onDone }: OneTimeLinkProps) {
  const t = useTexts(texts);
  const { time } = useFormats();
  return (
    <Stack>
      <Text size="sm">{t('once', { time: time(expiresAt) })}</Text>
      {mailedTo === null ? null : <Text size="sm">{t('mailed', { address: mailedTo })}</Text>}
      <TextInput
        label={t('link')}
        value={url}
        readOnly
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('done')}
        </Button>
        <CopyButton autoFocus value={url} label={t('copy')} />
      </Group>
    </Stack>
  );
}

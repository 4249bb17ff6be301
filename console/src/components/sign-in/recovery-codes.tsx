/** The recovery codes, shown only once. */
import { Alert, Button, Checkbox, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { siteName } from '#api/brand.ts';
import { CopyButton } from '#components/copy-button.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('recovery-codes', {
  en: {
    once: 'Store these codes somewhere other than your phone. If you cannot use the phone, each code lets you sign in once. The codes are not shown again.',
    label: 'Recovery codes',
    copy: 'Copy all',
    download: 'Download',
    kept: 'I have saved these codes',
    done: 'Done',
    file: '{{name}} recovery codes. Each code works once.',
  },
  zh: {
    once: '请将恢复码保存在手机以外的地方。无法使用手机时，每个恢复码可登录一次。恢复码不会再次显示。',
    label: '恢复码',
    copy: '全部复制',
    download: '下载',
    kept: '我已保存恢复码',
    done: '完成',
    file: '{{name}} 恢复码，每个只能使用一次。',
  },
});
const FILE_NAME = 'modelgate-recovery-codes.txt';

export type RecoveryCodesProps = {
  readonly codes: readonly string[];
  readonly onDone: () => void;
};

export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const t = useTexts(texts);
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${t('file', { name: siteName() })}\n\n${text}\n`)}`;
  return (
    <Stack>
      <Alert color="yellow" variant="light">
        <Text size="sm">{t('once')}</Text>
      </Alert>
      <SimpleGrid cols={2} spacing="xs" component="ul" aria-label={t('label')} p={0} m={0}>
        {codes.map((code) => (
          <Code key={code} component="li" fz="sm" ta="center" p="xs" style={{ listStyle: 'none' }}>
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton autoFocus variant="default" value={text} label={t('copy')} />
        <Button
          variant="default"
          component="a"
          href={file}
          download={FILE_NAME}
          leftSection={<IconDownload size={16} />}
        >
          {t('download')}
        </Button>
      </Group>
      <Checkbox
        label={t('kept')}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={onDone}>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  );
}

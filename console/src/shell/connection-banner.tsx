/**
 * A banner at the bottom of every page. It says that the gateway is unreachable, or that it serves
 * a newer version of the console.
 */
import { Button, Paper, Text } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { useConnection } from '#api/connection.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './shell.module.css';

const texts = defineTexts('connection', {
  en: {
    label: 'Connection',
    lost: 'Cannot reach the gateway. The data shown may be old. The console keeps trying.',
    outdated: 'The gateway was upgraded. Reload to use the new console.',
    reload: 'Reload',
  },
  zh: {
    label: '连接状态',
    lost: '无法连接网关，数据可能已过时，正在重试。',
    outdated: '网关已升级，请刷新以使用新版控制台。',
    reload: '刷新',
  },
});

export function ConnectionBanner() {
  const t = useTexts(texts);
  const connection = useConnection();
  const Icon = connection === 'lost' ? IconCloudOff : IconRefresh;
  return (
    <section aria-label={t('label')} className={classes['connection']}>
      <div role="status">
        {connection === 'connected' ? null : (
          <Paper withBorder shadow="md" className={classes['connectionText'] ?? ''}>
            <Icon size={16} aria-hidden />
            <Text size="sm">{t(connection)}</Text>
            {connection === 'outdated' ? (
              <Button size="xs" variant="default" onClick={() => globalThis.location.reload()}>
                {t('reload')}
              </Button>
            ) : null}
          </Paper>
        )}
      </div>
    </section>
  );
}

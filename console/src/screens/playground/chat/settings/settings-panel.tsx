/** The settings of all messages: system prompt, parameters, tools. */
import { Button, Divider, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useTexts } from '#i18n/texts.ts';
import type { Settings } from '#screens/playground/chat/chat-body.ts';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { ParameterField } from './parameter-field.tsx';
import { isSupported, offeredParameters, type Target, withValue } from './parameters.ts';
import { settingsTexts } from './settings-texts.ts';
import { ToolsField } from './tools-field.tsx';

export type SettingsPanelProps = {
  readonly store: ChatStore;
  readonly settings: Settings;
  readonly targets: readonly Target[];
};

export const SettingsPanel = memo(function SettingsPanel(props: SettingsPanelProps) {
  const { store, settings, targets } = props;
  const t = useTexts(settingsTexts);
  const change = (changed: Partial<Settings>): void =>
    store.change((state) => ({ ...state, settings: { ...state.settings, ...changed } }));
  const offered = offeredParameters(targets);
  const isSet = Object.keys(settings.values).length > 0;
  return (
    <Stack gap="md">
      <Textarea
        label={t('system')}
        placeholder={t('systemHint')}
        size="sm"
        autosize
        minRows={3}
        maxRows={12}
        value={settings.system}
        onChange={({ currentTarget }) => change({ system: currentTarget.value })}
      />
      <Divider />
      <Heading
        title={t('parameters')}
        action={
          isSet ? (
            <Button variant="subtle" size="compact-xs" onClick={() => change({ values: {} })}>
              {t('reset')}
            </Button>
          ) : null
        }
      />
      {offered.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      ) : null}
      {offered.map((name) => (
        <ParameterField
          key={name}
          name={name}
          value={settings.values[name]}
          targets={targets}
          onChange={(value) => change({ values: withValue(settings.values, name, value) })}
        />
      ))}
      <Divider />
      <Heading title={t('tools')} action={null} />
      {targets.some((target) => isSupported('tools', target)) ? (
        <ToolsField settings={settings} onChange={change} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('toolsNone')}
        </Text>
      )}
    </Stack>
  );
});

const Heading = ({ title, action }: { readonly title: string; readonly action: ReactNode }) => (
  <Group justify="space-between" mih={24}>
    <Title order={2} size="h6">
      {title}
    </Title>
    {action}
  </Group>
);

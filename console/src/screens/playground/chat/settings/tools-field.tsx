/** The tool definitions, validated while typing. */
import { Button, Group, Menu, Select, Stack, Textarea } from '@mantine/core';
import { useTexts } from '#i18n/texts.ts';
import {
  type Settings,
  TOOL_CHOICES,
  type ToolChoice,
} from '#screens/playground/chat/chat-body.ts';
import { settingsTexts } from './settings-texts.ts';
import { EXAMPLE_NAMES, laidOut, parseTools, withExample } from './tools.ts';

export type ToolsFieldProps = {
  readonly settings: Pick<Settings, 'tools' | 'toolChoice'>;
  readonly onChange: (change: Partial<Pick<Settings, 'tools' | 'toolChoice'>>) => void;
};

export function ToolsField({ settings: { tools, toolChoice }, onChange }: ToolsFieldProps) {
  const t = useTexts(settingsTexts);
  const { problem } = parseTools(tools);
  return (
    <Stack gap="sm">
      <Textarea
        label={t('toolsLabel')}
        description={t('toolsHint')}
        size="sm"
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        value={tools}
        error={
          problem === null
            ? null
            : t(`problem_${problem.kind}`, { at: problem.at, message: problem.message })
        }
        onChange={({ currentTarget }) => onChange({ tools: currentTarget.value })}
      />
      <Group gap="xs">
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="xs">
              {t('addExample')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {EXAMPLE_NAMES.map((name) => (
              <Menu.Item key={name} onClick={() => onChange({ tools: withExample(tools, name) })}>
                {t(name)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {tools.trim() === '' || problem?.kind === 'json' ? null : (
          <Button variant="subtle" size="xs" onClick={() => onChange({ tools: laidOut(tools) })}>
            {t('layOut')}
          </Button>
        )}
      </Group>
      {tools.trim() === '' ? null : (
        <Select
          label={t('toolChoice')}
          size="sm"
          allowDeselect={false}
          data={TOOL_CHOICES.map((choice) => ({ value: choice, label: t(WORDS[choice]) }))}
          value={toolChoice}
          onChange={(value) => {
            const choice = TOOL_CHOICES.find((each) => each === value);
            if (choice !== undefined) onChange({ toolChoice: choice });
          }}
        />
      )}
    </Stack>
  );
}

const WORDS = { auto: 'auto', none: 'noCalls', required: 'required' } as const satisfies Record<
  ToolChoice,
  string
>;

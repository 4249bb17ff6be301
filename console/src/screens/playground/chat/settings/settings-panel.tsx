/** The settings that apply to all messages: system prompt, parameters, tools. */
import {
  Button,
  Collapse,
  Divider,
  Group,
  Menu,
  Pill,
  Select,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, memo, type ReactNode, Suspense, useId } from 'react';
import { useTexts } from '#i18n/texts.ts';
import {
  type Settings,
  TOOL_CHOICES,
  type ToolChoice,
} from '#screens/playground/chat/chat-body.ts';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import {
  isSupported,
  offeredParameters,
  PARAMETER_NAMES,
  type ParameterValues,
  type Target,
  withValue,
} from './parameters.ts';
import { settingsTexts } from './settings-texts.ts';
import { EXAMPLE_NAMES, laidOut, parseTools, withExample } from './tools.ts';

/** The field of a parameter, loaded on demand because few conversations change parameters. */
const ParameterField = lazy(async () => ({
  default: (await import('./parameter-field.tsx')).ParameterField,
}));

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
  const systemId = useId();
  const offered = offeredParameters(targets);
  const count = parseTools(settings.tools).tools?.length ?? 0;
  return (
    <Stack gap="md">
      <Group justify="space-between" mih={24} mb={-8}>
        <Text component="label" htmlFor={systemId} size="sm" fw={600}>
          {t('system')}
        </Text>
        <Presets onChoose={(system) => change({ system })} />
      </Group>
      <Textarea
        id={systemId}
        placeholder={t('systemHint')}
        size="sm"
        autosize
        minRows={3}
        maxRows={12}
        value={settings.system}
        onChange={({ currentTarget }) => change({ system: currentTarget.value })}
      />
      <Fold
        title={t('parameters')}
        summary={<Changed values={settings.values} onChange={(values) => change({ values })} />}
        missing={offered.length === 0 ? t('none') : null}
      >
        {offered.map((name) => (
          <ParameterField
            key={name}
            name={name}
            value={settings.values[name]}
            targets={targets}
            onChange={(value) => change({ values: withValue(settings.values, name, value) })}
          />
        ))}
      </Fold>
      <Fold
        title={t('tools')}
        summary={settings.tools.trim() === '' ? t('noTools') : t('toolCount', { count })}
        missing={targets.some((target) => isSupported('tools', target)) ? null : t('toolsNone')}
      >
        <ToolsField settings={settings} onChange={change} />
      </Fold>
    </Stack>
  );
});

const PRESETS = ['concise', 'translator', 'reviewer', 'tutor', 'extractor'] as const;

/** A menu of system prompts to start from. */
function Presets({ onChoose }: { readonly onChoose: (system: string) => void }) {
  const t = useTexts(settingsTexts);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-xs">
          {t('presets')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PRESETS.map((name) => (
          <Menu.Item key={name} onClick={() => onChoose(t(`${name}Prompt`))}>
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type FoldProps = {
  readonly title: string;
  /** Shows the values that differ from the default, even while the fields are hidden. */
  readonly summary: ReactNode;
  /** The reason why there are no fields; null if there are fields. */
  readonly missing: string | null;
  readonly children: ReactNode;
};

/** A section of the settings that shows only changed values until a person opens it. */
function Fold({ title, summary, missing, children }: FoldProps) {
  const t = useTexts(settingsTexts);
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Divider />
      <Group justify="space-between" mih={24}>
        <Title order={2} size="h6">
          {title}
        </Title>
        {missing === null ? (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
          >
            {t(isOpen ? 'hide' : 'edit')}
          </Button>
        ) : null}
      </Group>
      <Text component="div" variant="note">
        {missing ?? summary}
      </Text>
      <Collapse expanded={isOpen} id={id}>
        {isOpen ? (
          <Suspense>
            <Stack gap="md">{children}</Stack>
          </Suspense>
        ) : null}
      </Collapse>
    </Stack>
  );
}

type ChangedProps = {
  readonly values: ParameterValues;
  readonly onChange: (values: ParameterValues) => void;
};

/** The parameters that differ from the model's default; each can be reset. */
function Changed({ values, onChange }: ChangedProps) {
  const t = useTexts(settingsTexts);
  const names = PARAMETER_NAMES.filter((name) => values[name] !== undefined);
  if (names.length === 0) return t('allDefault');
  return (
    <Group gap={6} role="list" aria-label={t('changed')}>
      {names.map((name) => (
        <Pill
          key={name}
          role="listitem"
          withRemoveButton
          removeButtonProps={{
            'aria-label': t('resetOne', { name: t(name) }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => onChange(withValue(values, name, null))}
        >
          {t(name)} {[values[name]].flat().join(', ')}
        </Pill>
      ))}
    </Group>
  );
}

type ToolsFieldProps = {
  readonly settings: Pick<Settings, 'tools' | 'toolChoice'>;
  readonly onChange: (change: Partial<Pick<Settings, 'tools' | 'toolChoice'>>) => void;
};

/** The tool definitions, validated while typing. */
function ToolsField({ settings: { tools, toolChoice }, onChange }: ToolsFieldProps) {
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

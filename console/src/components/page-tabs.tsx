/** The tabs of a page. Only the panel of the chosen tab is rendered. */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

export type PageTab<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly panel: ReactNode;
};

export type PageTabsProps<Name extends string> = {
  readonly tabs: readonly PageTab<Name>[];
  readonly value: Name;
  readonly onChange: (name: Name) => void;
};

export function PageTabs<Name extends string>({ tabs, value, onChange }: PageTabsProps<Name>) {
  const named = (wanted: string | null) => tabs.find(({ name }) => name === wanted);
  return (
    <Tabs
      value={value}
      onChange={(name) => onChange(named(name)?.name ?? value)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value}>{named(value)?.panel}</Tabs.Panel>
    </Tabs>
  );
}

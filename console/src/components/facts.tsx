/** Shows details as names and values. A detail without a value is left out. */
import { SimpleGrid, type SimpleGridProps, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = { readonly name: string; readonly value: ReactNode };
type FactsProps = { readonly facts: readonly Fact[] };

const known = (facts: readonly Fact[]): readonly Fact[] =>
  facts.filter(({ value }) => value !== null && value !== undefined && value !== '');

/** Shows one detail per row, for sheets and cards. */
export const FactTable = ({
  facts,
  width = 160,
}: FactsProps & { readonly width?: number | string }) => (
  <Table variant="vertical" layout="fixed">
    <Table.Tbody>
      {known(facts).map(({ name, value }) => (
        <Table.Tr key={name}>
          <Table.Th w={width}>{name}</Table.Th>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Shows details side by side, each with its name above its value. */
export const FactGrid = ({ facts, cols }: FactsProps & Pick<SimpleGridProps, 'cols'>) => (
  <SimpleGrid component="dl" m={0} cols={cols ?? 1}>
    {known(facts).map(({ name, value }) => (
      <Stack key={name} gap={2}>
        <Text component="dt" variant="caption">
          {name}
        </Text>
        <Text component="dd" m={0} fw={500}>
          {value}
        </Text>
      </Stack>
    ))}
  </SimpleGrid>
);

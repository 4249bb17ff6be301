/** The product's mark and name, which lead home. */
import { Group, Image, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export type BrandProps = {
  /** Where a phone has no room for it, the name is only read out. */
  readonly short?: boolean;
};

export function Brand({ short = false }: BrandProps) {
  return (
    <Text component={Link} to="/" c="inherit" td="none" fw={700} fz="lg" aria-label="Modelgate">
      <Group gap={8} wrap="nowrap" component="span">
        <Image src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" w={24} h={24} />
        <Text span inherit {...(short ? { visibleFrom: 'sm' } : {})}>
          Modelgate
        </Text>
      </Group>
    </Text>
  );
}

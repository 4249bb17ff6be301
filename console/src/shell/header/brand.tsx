/** The product's logo and name, linked to the start page. */
import { Group, Image, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export type BrandProps = {
  /** Whether the name is only for screen readers on phones. */
  readonly short?: boolean;
};

export function Brand({ short = false }: BrandProps) {
  return (
    <Text component={Link} to="/" c="inherit" td="none" fw={650} fz="lg" aria-label="Modelgate">
      <Group gap={8} wrap="nowrap" component="span">
        <Image src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" w={24} h={24} />
        <Text span inherit {...(short ? { visibleFrom: 'sm' } : {})}>
          Modelgate
        </Text>
      </Group>
    </Text>
  );
}

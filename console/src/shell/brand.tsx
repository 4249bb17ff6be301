import { Group, Image, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** The product's mark and name, which lead home. */
export function Brand() {
  return (
    <Text component={Link} to="/" c="inherit" td="none" fw={700} fz="lg">
      <Group gap={8} wrap="nowrap" component="span">
        <Image src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" w={24} h={24} />
        Modelgate
      </Group>
    </Text>
  );
}

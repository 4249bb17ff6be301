/** The frame of pages before the sign-in: the name, and the page in the middle. */
import { Center, Container, Group, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Brand } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

export function PlainShell() {
  return (
    <Stack mih="100vh" gap={0}>
      <Group component="header" justify="space-between" p="md">
        <Brand />
        <Group gap="xs">
          <LanguageSwitch />
          <SchemeSwitch />
        </Group>
      </Group>
      <Center component="main" id="main" flex={1} p="md">
        <Container size={480} w="100%" px={0}>
          <Outlet />
        </Container>
      </Center>
    </Stack>
  );
}

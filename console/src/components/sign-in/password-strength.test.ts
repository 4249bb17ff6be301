import { expect, test } from 'bun:test';
import { passwordStrength } from './password-strength.ts';

test.each([
  ['seven', 'short'],
  ['password123', 'simple'],
  ['aaaaaaaaaaaa', 'simple'],
  ['abcdefghijkl', 'simple'],
  ['0987654321', 'simple'],
  ['ada@example.com1', 'simple'],
  ['seven small engines', 'good'],
  ['正确的马电池订书钉十个字', 'good'],
] as const)('%s is %s', (password, strength) => {
  expect(passwordStrength(password, 'Ada@Example.com', 10)).toBe(strength);
});

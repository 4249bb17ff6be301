/** A mailer for tests in which email is off. */
import { Mailer } from './mailer.ts';

const notHere = (): never => {
  throw new Error('email is off in this test');
};

export const noMail = new Mailer({
  outbox: { draw: notHere, add: notHere, countOf: notHere },
  isOn: () => false,
  brand: () => ({ name: 'Modelgate', support_url: null }),
  wake: () => undefined,
});

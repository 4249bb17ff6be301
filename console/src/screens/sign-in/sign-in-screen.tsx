import { Page } from '../../components/page.tsx';

export function SignInScreen() {
  return <Page title="Modelgate">{null}</Page>;
}

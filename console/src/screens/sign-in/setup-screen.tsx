import { Page } from '../../components/page.tsx';

export function SetupScreen() {
  return <Page title="Modelgate">{null}</Page>;
}

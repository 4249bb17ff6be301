export function StatementsTab() {
  return null;
}

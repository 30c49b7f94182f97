export default function StaffPages() {
  return <p>…</p>;
}

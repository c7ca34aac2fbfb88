// Any other address of the dashboard: signed-in readers find in the shell that there is nothing.
import { notFound } from "next/navigation";
import { requireUser } from "@/app/_trpc/session";

export default async function UnknownPage({ params }: { params: Promise<{ path: string[] }> }) {
  await requireUser(`/dashboard/${(await params).path.join("/")}`);
  notFound();
}

// Components whose code loads when they are first shown:
// const Palette = onDemand(async () => (await import("./palette")).Palette);
"use client";
import { type ComponentType, lazy } from "react";

/**
 * Renders inside a Suspense boundary. If the code cannot be loaded, a newer version of the app serves: then the whole
 * page loads again.
 */
export const onDemand = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      window.location.reload();
      return new Promise<never>(() => {});
    }
  });

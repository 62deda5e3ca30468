// Wakes when a push comes, shows which table calls, and leads to it. It keeps nothing and answers for no page.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("push", (event) => event.waitUntil((async () => {
  const told = event.data.json();
  const open = (await pages()).some((page) => page.visibilityState === "visible"); // the open page rings by itself
  await self.registration.showNotification(told.title, {
    body: told.body, lang: told.lang === "zh" ? "zh-CN" : "en", icon: "/assets/web/icon.svg", badge: "/assets/web/icon.svg",
    tag: `table ${told.table}`, renotify: !open, silent: open, requireInteraction: told.kind !== "test", data: { table: told.table },
    vibrate: open ? undefined : [300, 120, 300, 120, 600],
  });
})()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const table = event.notification.data.table;
  event.waitUntil((async () => {
    const page = (await pages()).find((each) => new URL(each.url).pathname === "/duty");
    if (!page) return self.clients.openWindow(table ? `/duty#table=${encodeURIComponent(table)}` : "/duty");
    await page.focus().catch(() => {}); // some browsers put it forward only after a touch
    if (table) page.postMessage({ table });
  })());
});

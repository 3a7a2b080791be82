// Every screen with its address: [route id, path, file name of its picture].
export const SCREENS = [
  ["dashboard", "/", "dashboard"],
  ["videos", "/videos", "videos"],
  ["videos", "/videos?view=virtual", "videos-virtual"],
  ["videos.new", "/videos/new", "video-new"],
  ["videos.detail", "/videos/7", "video"],
  ["team", "/team", "team"],
  ["settings.profile", "/settings/profile", "settings-profile"],
  ["settings.security", "/settings/security", "settings-security"],
  ["settings.billing", "/settings/billing", "settings-billing"],
  ["settings.appearance", "/settings/appearance", "settings-appearance"],
  ["embedded", "/embedded", "embedded"],
  ["lab", "/lab", "lab"],
];

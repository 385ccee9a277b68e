/** What stands above the text of the first page. The page itself is plain Markdown, which is read elsewhere too. */
export const home = {
  layout: "home",
  hero: {
    name: "effect-chains",
    text: "One typed SDK for more than 120 blockchain networks",
    tagline: "Promises, Effect and React from one declaration, over a load balancer of nodes.",
    actions: [
      { theme: "brand", text: "Start with promises", link: "/start#with-promises" },
      { theme: "alt", text: "Effect", link: "/start#with-effect" },
      { theme: "alt", text: "React", link: "/start#in-react" },
      { theme: "alt", text: "TanStack Query", link: "/start#a-page-on-tanstack-query" }
    ]
  },
  features: [
    {
      title: "A node may fail",
      details:
        "A call goes to the fastest node in step, and to the next one before its caller hears of a failure.",
      link: "/balancer"
    },
    {
      title: "Nothing is paid twice",
      details:
        "What may have had an effect is never sent again. Signers show what leaves the account before they sign.",
      link: "/signers"
    },
    {
      title: "Errors that tell the way out",
      details:
        "Every call has its errors in its type, and each of them a page with its cause and what to do.",
      link: "/errors"
    },
    {
      title: "Tests without the internet",
      details: "The sandbox is the whole provider over real nodes on your machine, with faults on demand.",
      link: "/sandbox"
    }
  ]
}

require "json"
require "net/http"

# The emails of this request, whether it is accepted now or was accepted before.
def send_once(email, key)
  response = Net::HTTP.post(
    URI("#{ENV.fetch("POSTRIDER_URL")}/v1/send"),
    JSON.generate(email),
    "Authorization" => "Bearer #{ENV.fetch("POSTRIDER_API_KEY")}",
    "Content-Type" => "application/json",
    "Idempotency-Key" => key
  )
  reply = JSON.parse(response.body)
  return reply["data"]["emails"] if response.is_a?(Net::HTTPSuccess)

  raise response.body unless reply.dig("error", "code") == "IDEMPOTENCY_KEY_REUSED"

  reply["error"]["details"]["emails"]
end

to = ENV.fetch("TO")
welcome = {
  to: to,
  from: "Demo <hello@mail.demo.example>",
  subject: "Welcome",
  body: "<p>Good to have you here.</p>"
}
first = send_once(welcome, "welcome/#{to}")
# The job runs again, perhaps on another machine: nothing is sent, and the result is the first one.
second = send_once(welcome, "welcome/#{to}")
puts "#{first[0]["email"]} #{second[0]["email"]}"

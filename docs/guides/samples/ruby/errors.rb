require "json"
require "net/http"
require "securerandom"

# Retries what may succeed, with one key, so that a lost answer never sends twice.
def deliver(email, attempts: 5)
  headers = {
    "Authorization" => "Bearer #{ENV.fetch("POSTRIDER_API_KEY")}",
    "Content-Type" => "application/json",
    "Idempotency-Key" => SecureRandom.uuid
  }
  attempts.times do |attempt|
    pause = 2**attempt
    begin
      response = Net::HTTP.post(URI("#{ENV.fetch("POSTRIDER_URL")}/v1/send"), JSON.generate(email), headers)
      return JSON.parse(response.body) unless %w[429 500 502 503 504].include?(response.code)

      pause = response["Retry-After"].to_i if response["Retry-After"]
    rescue IOError, SystemCallError, Timeout::Error
      raise if attempt + 1 == attempts
    end
    sleep pause if attempt + 1 < attempts
  end
  raise "The API refused #{attempts} attempts"
end

reply = deliver({
  to: "nobody",
  from: "Demo <hello@mail.demo.example>",
  subject: "Hello",
  body: "<p>Hello</p>"
})
error = reply["error"]
case error && error["code"]
when nil
  puts "accepted"
when "VALIDATION_ERROR"
  error["errors"].each { |problem| puts [error["code"], *problem.values_at("field", "code", "message")].join(" ") }
when "IDEMPOTENCY_KEY_REUSED"
  puts "accepted by an earlier attempt"
else
  puts error.values_at("code", "message", "suggestion", "requestId").join(" ")
end
